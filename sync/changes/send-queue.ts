/**
 * The order in which a queue is gone through (RULES OR1, OR3): one after the other, as saved. What stands in the way ends
 * it, and it is gone through again later. So does a 5xx, which opens the circuit for all (OC10): at the second one in a row
 * the next time begins with the others (OC8, `inTurn`), so that a change that is at fault holds up nobody.
 */
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { bySuspicion, isSuspected, type Faults } from './failure-attribution.ts'

/** `unclear`: only this change is in doubt, so far. */
export type Step = { kind: 'done' } | { kind: 'blocked'; outcome: Outcome; unclear?: boolean }

interface Parts {
  /** What can go, in the order of saving. */
  queue: () => Promise<QueueItem[]>
  send: (item: QueueItem) => Promise<Step>
  faults: Faults
  /** The CRM takes others: this one is tried again later, and holds up nobody. */
  leave: () => void
}

export async function sendQueue({ queue, send, faults, leave }: Parts): Promise<Step> {
  const tried = new Set<string>()
  const { accepted } = faults.now
  const untried = async () => (await queue()).filter(({ change }) => !tried.has(change.id))
  for (;;) {
    let due = await untried()
    if (due.length === 0) return { kind: 'done' }
    // by how the one before has ended: what hangs on one that is there by now is in its place again
    const next = () => bySuspicion(due, faults.now)[0]
    for (let item = next(); item; item = next()) {
      const { id } = item.change
      due = due.filter(({ change }) => change.id !== id)
      tried.add(id)
      const step = await send(item)
      if (step.kind === 'done') continue
      const isLast = (await untried()).length === 0
      const isLeft = step.unclear && isSuspected(faults.now, id) && faults.now.accepted > accepted
      if (!isLeft || !isLast) return step
      leave()
      return { kind: 'done' }
    }
  }
}
