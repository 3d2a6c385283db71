/** The queue as cards: what belongs together, what goes along, where its content is. */
import { CREATING_KINDS, type QueueItem } from '#schemas/change-queue.ts'

/** The changes of one save over several requests that still wait, this one among them. */
export const groupOf = (item: QueueItem, queue: readonly QueueItem[]): QueueItem[] =>
  item.change.group === undefined ? [item] : queue.filter(({ change }) => change.group === item.change.group)

/** What dies with this change (sync RULES SV3): everything of its record, where it is the one that makes it. */
export const dependentsOf = (item: QueueItem, queue: readonly QueueItem[]): QueueItem[] =>
  CREATING_KINDS.includes(item.change.kind)
    ? queue.filter(({ record, change }) => record.key === item.record.key && change.id !== item.change.id)
    : []

/** Whether a person may act on it: not while it is being sent, nor while an earlier wish is carried out. */
export const isIdle = ({ state, ledger }: QueueItem): boolean =>
  state !== 'sending' && (ledger?.wish ?? 'none') === 'none'

export const isParked = ({ state }: QueueItem): boolean => state === 'failed' || state === 'expired'
