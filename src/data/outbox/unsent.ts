/** Where a record stands: its own changes and its photos, and nothing else of the request (sync RULES ST1). */
import type { QueueItem, SendState } from '#schemas/changes/change-queue.ts'
import type { Outbox } from '#data/outbox/outbox.ts'

/** The most pressing state of what is unsent, and how many are in it. */
export interface Unsent {
  state: SendState
  count: number
}

const MOST_PRESSING: readonly SendState[] = ['failed', 'expired', 'sending', 'waiting']

/** @returns null where all is sent */
export function pressing(items: readonly Pick<QueueItem, 'state'>[]): Unsent | null {
  for (const state of MOST_PRESSING) {
    const count = items.filter((item) => item.state === state).length
    if (count > 0) return { state, count }
  }
  return null
}

/** Of one record, its photos among it. */
export const unsentOf = (
  { queue, photos }: Pick<Outbox, 'queue' | 'photos'>,
  resource: string,
  key: string,
): Unsent | null =>
  pressing([
    ...queue.filter(({ record }) => record.resource === resource && record.key === key),
    ...photos
      .filter((group) => group.resource === resource && group.recordKey === key)
      .flatMap(({ items }) => items),
  ])
