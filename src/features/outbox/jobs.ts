/** The queue as cards: what belongs together, what goes along, where its content is. */
import { CREATING_KINDS, type QueueItem } from '#schemas/change-queue.ts'
import { SafetyNeedFlag } from '#schemas/codes.ts'

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

/**
 * Where the content of a safety measure is: a refused one opens as the form it was written in, or where 要 or 不要 is
 * chosen; any other as the record it is.
 */
export function safetyPath({ record, change, state }: QueueItem): string {
  const { key, requestId, workingDate } = record
  if (state !== 'failed') return `/safetyMeasure/${encodeURIComponent(key)}`
  const isNeeded = 'needFlag' in change.fields && change.fields.needFlag === SafetyNeedFlag.code.needed
  const safetyType = 'safetyType' in record ? String(record.safetyType) : ''
  return isNeeded
    ? `/safetyMeasure/add?${new URLSearchParams({ requestId, safetyType, workingDate }).toString()}`
    : `/safetyMeasure/select/${encodeURIComponent(requestId)}?${new URLSearchParams({ workingDate }).toString()}`
}
