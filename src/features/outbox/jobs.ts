/**
 * Groups the send queue into the cards of 送信状況: which items belong together, which are resent or discarded together,
 * and which form shows their content.
 */
import { dependsOnCreate, isCreating, type QueueItem } from '#schemas/changes/change-queue.ts'
import { ContactType, SafetyNeedFlag } from '#schemas/codes.ts'
import type { PhotoProgress } from '#schemas/changes/photo-queue.ts'
import { declaredFacts } from '#schemas/collections/declared-facts.ts'
import {
  isOfRequest,
  isPushCollection,
  type OfRequestCollection,
  type PushCollection,
} from '#schemas/collections/push-collections.ts'
import { cardOf, isParked } from '#data/outbox/outbox.ts'

/** Returns the queued changes of the same save over several requests, including this one. */
export const savedTogether = (item: QueueItem, queue: readonly QueueItem[]): QueueItem[] =>
  item.change.group === undefined ? [item] : queue.filter(({ change }) => change.group === item.change.group)

/**
 * Returns the changes that are discarded with this one (sync RULES SV3, OR3): those that depend
 * on the record it creates.
 */
export const discardedWith = (item: QueueItem, queue: readonly QueueItem[]): QueueItem[] =>
  isCreating(item.change)
    ? queue.filter(
        ({ record, change }) =>
          record.resource === item.record.resource &&
          record.key === item.record.key &&
          dependsOnCreate(record, change),
      )
    : []

/**
 * Returns the photos that cannot be sent without the record that this change creates. The CRM may
 * still have such a record.
 */
export const photosDying = (item: QueueItem, photos: PhotoProgress | undefined): readonly QueueItem[] =>
  isCreating(item.change) && item.record.serverId === ''
    ? // Photo deletions are sent separately; discarding one would restore the photo.
      (photos?.items ?? []).filter(({ change }) => change.kind === 'upload')
    : []

/**
 * Returns everything that 再送 of one card resends: the changes of the same save, the changes that wait for it, and the
 * photos of these records. They need no second press, because they are as old, and would expire as soon as they could
 * be sent (sync RULES EX2).
 * @returns dependents first, so that nothing is sent before all requests to resend are stored
 */
export function resentWith(
  item: QueueItem,
  queue: readonly QueueItem[],
  photos: readonly PhotoProgress[],
): QueueItem[] {
  const saved = [item, ...savedTogether(item, queue).filter((other) => other !== item && isParked(other))]
  const waiting = queue.filter((other) => saved.some(({ change }) => other.blockedBy === change.id))
  const items = [...new Set([...saved, ...waiting])]
  const isTheirs = ({ resource, recordKey }: PhotoProgress) =>
    items.some(({ record }) => record.resource === resource && record.key === recordKey)
  const shots = photos.filter(isTheirs).flatMap((group) => group.items)
  return [...shots, ...items.toReversed()].filter(isIdle)
}

/** True if the user may act on the change: it is not being sent, and no earlier request is being applied. */
export const isIdle = ({ state, progress }: QueueItem): boolean =>
  state !== 'sending' && (progress?.wish ?? 'none') === 'none'

interface Paths {
  add: string
  edit: string
}

/**
 * Paths for records of which a request can have several: a refused one is corrected in the edit form, like any other.
 */
const edited = (slug: string, { record }: QueueItem): Paths => {
  const edit = `/${slug}/${at(idOf(record))}/edit`
  return { add: edit, edit }
}

/** Form paths by collection, for registering and for editing a record. */
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
  // Only the photos of a measure can be edited, so it opens as a record. An unsent 不要 is chosen again.
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
/** The URL needs the kind of day (spec 2), which a measure does not have. */
const selectDay = (workingDate: string) =>
  new URLSearchParams({ workingDateType: '', workingDate }).toString()
/** Id for links: the CRM's id, or the local key, which may equal the CRM's id of a different record. */
const idOf = ({ serverId, key }: QueueItem['record']) => serverId || key

const pathsOf = (collection: PushCollection, item: QueueItem): Paths =>
  isOfRequest(collection) ? edited(declaredFacts[collection].slug, item) : FORMS[collection](item)

/**
 * 内容を開く: returns the URL of the form that opens with the saved content. A creating change opens the edit form while it
 * waits, and the add form after it was refused or has expired.
 * @returns the request's URL if the change has no form of its own (an entry)
 */
export function contentPath(item: QueueItem, queue: readonly QueueItem[]): string {
  const { record, change } = item
  const paths = isPushCollection(record.resource) ? pathsOf(record.resource, item) : null
  if (!paths || change.kind === 'entry')
    return `/request/${at(record.requestId)}${query({ workingDate: record.workingDate })}`
  if (change.kind === 'edit' || !isParked(item)) return paths.edit
  const others = savedTogether(item, queue)
    .map(({ record: { key } }) => key)
    .filter((key) => key !== record.key)
  return `${paths.add}${query({ other: others.join(',') })}`
}

/** 内容を開く for the photos of a record: the form, or the record where they are shown. */
export function photosPath({ resource, recordKey, items: [first] }: PhotoProgress): string | null {
  if (!first) return null
  const record = { ...first.record, resource, key: recordKey }
  return contentPath({ ...first, record, change: { ...first.change, kind: 'edit' } }, [])
}

/** True if photos wait until the CRM has their record (sync RULES OR2). */
export const waitForRecord = (photos: PhotoProgress, queue: readonly QueueItem[]): boolean =>
  cardOf(photos, queue)?.record.serverId === ''

function query(params: Record<string, string>): string {
  const given = Object.entries(params).filter(([, value]) => value !== '')
  return given.length > 0 ? `?${new URLSearchParams(given).toString()}` : ''
}
