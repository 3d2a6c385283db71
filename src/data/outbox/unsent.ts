/** The send state of a single record with its photos (sync RULES ST1). */
import type { QueueItem, SendState } from '#schemas/changes/change-queue.ts'
import type { Outbox } from '#data/outbox/outbox.ts'

/** The most urgent send state, and the number of items in this state. */
export interface Unsent {
  state: SendState
  count: number
}

const BY_URGENCY: readonly SendState[] = ['failed', 'expired', 'sending', 'waiting']

/** Returns the most urgent state of the items; null if all are sent. */
export function mostUrgent(items: readonly Pick<QueueItem, 'state'>[]): Unsent | null {
  for (const state of BY_URGENCY) {
    const count = items.filter((item) => item.state === state).length
    if (count > 0) return { state, count }
  }
  return null
}

export const unsentOf = (
  { queue, photos }: Pick<Outbox, 'queue' | 'photos'>,
  resource: string,
  key: string,
): Unsent | null =>
  mostUrgent([
    ...queue.filter(({ record }) => record.resource === resource && record.key === key),
    ...photos
      .filter((group) => group.resource === resource && group.recordKey === key)
      .flatMap(({ items }) => items),
  ])
