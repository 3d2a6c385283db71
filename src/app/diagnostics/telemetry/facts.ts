/** What one look at the device finds: numbers and words of closed lists, nothing that anybody has written. */
import { isSendable, type SendState } from '#schemas/change-queue.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import { PHOTOS } from '#schemas/photo-queue.ts'
import { isPushCollection } from '#schemas/push-collections.ts'
import { isParked, sendableOf, type Outbox } from '#data/outbox.ts'
import type { StorageFacts } from '#lib/browser/storage-facts.ts'
import type { FigureSummary } from '#lib/field-figures.ts'
import type { CallOutcome } from './count-calls.ts'
import type { ErrorFact } from './error-facts.ts'

export interface Facts {
  /** Epoch ms, by the device's clock. */
  at: number
  /** The app's. */
  version: string
  isBelowMinimum: boolean
  /** Sum of the stores' versions; null while no data is open. */
  layout: number | null
  /** Null while nobody's data is open. */
  queue: QueueFacts | null
  storage: StorageFacts
  errors: readonly ErrorFact[]
  figures: readonly FigureSummary[]
  /** Since the last look, of this tab. */
  calls: Partial<Record<CallOutcome, number>>
}

/** How a change left the queue, or why it stays in it. */
const OUTCOMES = ['accepted', 'refused', 'expired', 'discarded'] as const
export type Outcome = (typeof OUTCOMES)[number]

export interface SettledFact {
  /** Of this settling: refused once more is another one. */
  id: string
  outcome: Outcome
  /** Collection. */
  resource: string
  /** HTTP status, 0 where there was none. */
  status: number
}

export interface QueueFacts {
  unsent: Record<SendState, number>
  photos: number
  /** Epoch ms of the oldest save that the CRM does not have. */
  oldest: number | null
  /** Epoch ms of the oldest one that goes by itself. */
  oldestSendable: number | null
  /** The CRM asked for fewer calls, or is not answering: what could go does not. */
  waits: boolean
  settled: SettledFact[]
}

export function queueFacts(outbox: Outbox): QueueFacts {
  const photos = outbox.photos.flatMap(({ items }) => items)
  const unsent: QueueFacts['unsent'] = { waiting: 0, sending: 0, failed: 0, expired: 0 }
  for (const { state } of outbox.queue) unsent[Object.hasOwn(unsent, state) ? state : 'waiting'] += 1
  const savedAt = (items: Outbox['queue']) => items.map(({ change }) => Date.parse(change.savedAt))
  return {
    unsent,
    photos: photos.length,
    oldest: earliest(savedAt([...outbox.queue, ...photos])),
    oldestSendable: earliest(
      savedAt(sendableOf(outbox).filter((item) => isSendable(item) && !isParked(item))),
    ),
    waits: outbox.wait !== null,
    settled: [...outbox.ledger.values()].flatMap(settledFact),
  }
}

function settledFact({ id, state, settledAt, resource, status }: LedgerEntry): SettledFact[] {
  const outcome = OUTCOMES.find((each) => each === state)
  if (!outcome) return []
  const known = resource === PHOTOS || isPushCollection(resource) ? resource : 'other'
  return [{ id: `${id} ${state} ${settledAt}`, outcome, resource: known, status }]
}

function earliest(times: readonly number[]): number | null {
  const known = times.filter(Number.isFinite)
  return known.length > 0 ? Math.min(...known) : null
}
