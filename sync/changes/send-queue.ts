/**
 * The order in which a queue is sent (RULES OR1, OR3): one item after the other, as saved. An item that is blocked
 * ends the run, and a later run tries again. So does a 5xx, which opens the circuit breaker for all (OC10). After two
 * 5xx in a row the next run begins with other changes (OC8), so that a faulty change delays no other.
 */
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { bySuspicion, isSuspected, type Faults } from './failure-attribution.ts'

/** `unclear`: the answer may be the fault of this change alone. */
export type Step = { kind: 'done' } | { kind: 'blocked'; outcome: Outcome; unclear?: boolean }

interface Parts {
  /** The items that can be sent, in the order of saving. */
  queue: () => Promise<QueueItem[]>
  send: (item: QueueItem) => Promise<Step>
  faults: Faults
  /** Called if only this item is blocked, as the CRM accepts others: it is tried again later. */
  retryLater: () => void
}

/** Sends the queue once. @returns `blocked` with the outcome that ended the run */
export async function sendQueue({ queue, send, faults, retryLater }: Parts): Promise<Step> {
  const tried = new Set<string>()
  const { accepted } = faults.now
  const untried = async () => (await queue()).filter(({ change }) => !tried.has(change.id))
  for (;;) {
    let due = await untried()
    if (due.length === 0) return { kind: 'done' }
    // sorted again after each item, because each result changes the suspicion
    const next = () => bySuspicion(due, faults.now)[0]
    for (let item = next(); item; item = next()) {
      const { id } = item.change
      due = due.filter(({ change }) => change.id !== id)
      tried.add(id)
      const step = await send(item)
      if (step.kind === 'done') continue
      const isLast = (await untried()).length === 0
      const isSkipped = step.unclear && isSuspected(faults.now, id) && faults.now.accepted > accepted
      if (!isSkipped || !isLast) return step
      retryLater()
      return { kind: 'done' }
    }
  }
}
