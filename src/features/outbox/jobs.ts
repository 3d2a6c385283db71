/** The queue as cards: what belongs together, what goes along, where its content is. */
import { hangsOnCreating, isCreating, type QueueItem } from '#schemas/change-queue.ts'
import { ContactType, SafetyNeedFlag } from '#schemas/codes.ts'
import type { PhotoProgress } from '#schemas/photo-queue.ts'
import { declaredFacts } from '#schemas/declared-facts.ts'
import {
  isOfRequest,
  isPushCollection,
  type OfRequestCollection,
  type PushCollection,
} from '#schemas/push-collections.ts'
import { cardOf, isParked } from '#data/outbox.ts'

/** The changes of one save over several requests that still wait, this one among them. */
export const groupOf = (item: QueueItem, queue: readonly QueueItem[]): QueueItem[] =>
  item.change.group === undefined ? [item] : queue.filter(({ change }) => change.group === item.change.group)

/** What dies with this change (sync RULES SV3, OR3): what hangs on it, where it is the one that makes its record. */
export const dependentsOf = (item: QueueItem, queue: readonly QueueItem[]): QueueItem[] =>
  isCreating(item.change)
    ? queue.filter(
        ({ record, change }) =>
          record.resource === item.record.resource &&
          record.key === item.record.key &&
          hangsOnCreating(record, change),
      )
    : []

/** Its photos, which could never be sent without the record that this change makes; the CRM may have one all the same. */
export const photosDying = (item: QueueItem, photos: PhotoProgress | undefined): readonly QueueItem[] =>
  isCreating(item.change) && item.record.serverId === ''
    ? // one that is to be deleted goes by itself: 破棄 of that would keep it
      (photos?.items ?? []).filter(({ change }) => change.kind === 'upload')
    : []

/**
 * What 再送 of one card sends again: what was saved with it, what waits for it, and the photos of these records. Nothing of
 * it is left for a second press: what only waited for it is as old as it is, and would be 期限切れ once its turn has come
 * (sync RULES EX2).
 * @returns what waits for others before them: nothing is sent before the wish for what comes after it is written
 */
export function resentWith(
  item: QueueItem,
  queue: readonly QueueItem[],
  photos: readonly PhotoProgress[],
): QueueItem[] {
  const saved = [item, ...groupOf(item, queue).filter((other) => other !== item && isParked(other))]
  const waiting = queue.filter((other) => saved.some(({ change }) => other.heldBy === change.id))
  const items = [...new Set([...saved, ...waiting])]
  const isTheirs = ({ resource, recordKey }: PhotoProgress) =>
    items.some(({ record }) => record.resource === resource && record.key === recordKey)
  const shots = photos.filter(isTheirs).flatMap((group) => group.items)
  return [...shots, ...items.toReversed()].filter(isIdle)
}

/** Whether a person may act on it: not while it is being sent, nor while an earlier wish is carried out. */
export const isIdle = ({ state, ledger }: QueueItem): boolean =>
  state !== 'sending' && (ledger?.wish ?? 'none') === 'none'

interface Paths {
  add: string
  edit: string
}

/** Of those that a request has several of: one that was refused is corrected in its form as any other. */
const edited = (slug: string, { record }: QueueItem): Paths => {
  const edit = `/${slug}/${at(idOf(record))}/edit`
  return { add: edit, edit }
}

/** The forms by collection, where they are others: where a record is registered, and where it is edited. */
const FORMS: Record<Exclude<PushCollection, OfRequestCollection>, (item: QueueItem) => Paths> = {
  quickReports: ({ record }) => ({
    add: `/quickReport/add/${at(idOf(record))}`,
    edit: `/quickReport/${at(idOf(record))}/edit`,
  }),
  customerLocationChangeRequests: ({ record }) => ({
    add: `/customerLocationChangeRequest/add/${at(record.requestId)}`,
    edit: `/customerLocationChangeRequest/${at(idOf(record))}/edit`,
  }),
  noteLocationAreas: (item) => edited('noteLocationArea', item),
  locationContactChangeRequests({ record }) {
    const isExit = 'contactType' in record && record.contactType === ContactType.code.exit
    const type = isExit ? 'type2' : 'type1'
    return {
      add: `/locationContactChangeRequest/add/${at(record.requestId)}/${type}`,
      edit: `/locationContactChangeRequest/${at(idOf(record))}/edit/${type}`,
    }
  },
  // there is nothing to edit but its photos: it opens as the record it is. A 不要 that did not go is chosen anew.
  safetyMeasures({ record, change: { fields } }) {
    const { requestId, workingDate } = record
    const measure = `/safetyMeasure/${at(idOf(record))}`
    const isNeeded = 'needFlag' in fields && fields.needFlag === SafetyNeedFlag.code.needed
    const safetyType = 'safetyType' in record ? String(record.safetyType) : ''
    const form = isNeeded
      ? `/safetyMeasure/add${query({ requestId, safetyType, workingDate })}`
      : `/safetyMeasure/select/${at(requestId)}?${selectDay(workingDate)}`
    return { add: form, edit: measure }
  },
}

const at = encodeURIComponent
/** The address needs the kind of day (spec 2); a measure does not say it. */
const selectDay = (workingDate: string) =>
  new URLSearchParams({ workingDateType: '', workingDate }).toString()
/** For links, as everywhere: the CRM's id, else the local key, which may be the CRM's id of something else. */
const idOf = ({ serverId, key }: QueueItem['record']) => serverId || key

const pathsOf = (collection: PushCollection, item: QueueItem): Paths =>
  isOfRequest(collection) ? edited(declaredFacts[collection].slug, item) : FORMS[collection](item)

/**
 * 内容を開く: the address of the form that opens with what was saved. What makes a record counts as registered while it
 * only waits, and opens as an edit; refused or expired it is registered anew.
 * @returns of the request, where what was saved has no form of its own (an entry)
 */
export function contentPath(item: QueueItem, queue: readonly QueueItem[]): string {
  const { record, change } = item
  const paths = isPushCollection(record.resource) ? pathsOf(record.resource, item) : null
  if (!paths || change.kind === 'entry')
    return `/request/${at(record.requestId)}${query({ workingDate: record.workingDate })}`
  if (change.kind === 'edit' || !isParked(item)) return paths.edit
  const others = groupOf(item, queue)
    .map(({ record: { key } }) => key)
    .filter((key) => key !== record.key)
  return `${paths.add}${query({ other: others.join(',') })}`
}

/** 内容を開く of the photos of a record: the form, or the record, where they are seen. */
export function photosPath({ resource, recordKey, items: [first] }: PhotoProgress): string | null {
  if (!first) return null
  const record = { ...first.record, resource, key: recordKey }
  return contentPath({ ...first, record, change: { ...first.change, kind: 'edit' } }, [])
}

/** Whether photos wait until the CRM has their record (sync RULES OR2). */
export const waitForRecord = (photos: PhotoProgress, queue: readonly QueueItem[]): boolean =>
  cardOf(photos, queue)?.record.serverId === ''

function query(params: Record<string, string>): string {
  const given = Object.entries(params).filter(([, value]) => value !== '')
  return given.length > 0 ? `?${new URLSearchParams(given).toString()}` : ''
}
