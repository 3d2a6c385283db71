/**
 * The order in which a queue is gone through (RULES OR1, OR3): one after the other, as saved. What stands in the way of all
 * ends it. An answer of no use to one change ends it, too, unless that change had one before: then the others have their
 * turn, and a second one of them that fares no better ends it (OC8).
 */
import type { QueueItem } from '#schemas/change-queue.ts'
import type { Outcome } from './outcome.ts'
import { inTurn, type Faults } from './own-fault.ts'

/** `unclear`: only this change is in doubt, so far. */
export type Step = { kind: 'done' } | { kind: 'blocked'; outcome: Outcome; unclear?: boolean }

interface Parts {
  /** What can go, in the order of saving. */
  queue: () => Promise<QueueItem[]>
  send: (item: QueueItem) => Promise<Step>
  faults: Faults
  /** The CRM takes others: this one is tried again later, and holds up nobody. */
  leave: (item: QueueItem) => void
}

/** A change that had an answer of no use twice, and what the CRM had accepted then. */
interface Left {
  item: QueueItem
  step: Step
  accepted: number
}

export async function drained({ queue, send, faults, leave }: Parts): Promise<Step> {
  const tried = new Set<string>()
  let left = null as Left | null
  for (;;) {
    const due = (await queue()).filter(({ change }) => !tried.has(change.id))
    const isAlone = left !== null && left.accepted === faults.now.accepted
    if (due.length === 0) {
      if (left && !isAlone) leave(left.item)
      return left && isAlone ? left.step : { kind: 'done' }
    }
    for (const item of inTurn(due, faults.now)) {
      tried.add(item.change.id)
      const isKnown = faults.now.unclear.has(item.change.id)
      const step = await send(item)
      if (step.kind === 'done') continue
      const { accepted } = faults.now
      if (!step.unclear || !isKnown || left?.accepted === accepted) return step
      if (left) leave(left.item)
      left = { item, step, accepted }
    }
  }
}
