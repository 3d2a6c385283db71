/** Reports that a queue which waited without signal has been sent (sync RULES ST2). */
import { combineLatest, type Subscription } from 'rxjs'
import type { Database } from '#data/database/database.ts'
import { outbox$, sendableOf } from '#data/outbox/outbox.ts'
import type { Connectivity } from '#sync/runtime/connectivity.ts'

/** @param onSent called once per queue that waited and was sent */
export function watchQueueSent(db: Database, connectivity: Connectivity, onSent: () => void): Subscription {
  let waited = new Set<string>()
  let onlineSince = 0
  return combineLatest([outbox$(db), connectivity.online$]).subscribe(([outbox, online]) => {
    const { progress } = outbox
    const sendable = sendableOf(outbox)
    if (!online) onlineSince = 0
    else onlineSince ||= performance.now()
    for (const { change } of sendable) if (!online || change.offline) waited.add(change.id)
    if (sendable.length > 0 || waited.size === 0) return
    const sent = [...waited].some((id) => progress.get(id)?.state === 'accepted')
    waited = new Set()
    if (!sent) return
    performance.clearMeasures('sync:replay')
    performance.measure('sync:replay', { start: onlineSince })
    onSent()
  })
}
