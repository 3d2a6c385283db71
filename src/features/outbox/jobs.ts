/** Rules for the cards of 送信状況: which queued items are resent or discarded together, and which form shows an item. */
import { dependsOnCreate, isCreating, type QueueItem, type QueueWait } from '#schemas/changes/change-queue.ts'
import { ContactType, SafetyNeedFlag } from '#schemas/codes.ts'
import type { PhotoProgress } from '#schemas/changes/photo-queue.ts'
import {
  declaredFacts,
  isOfRequest,
  isPushCollection,
  type OfRequestCollection,
  type PushCollection,
} from '#schemas/collections/push-collections.ts'
import { cardOf, isParked } from '#data/outbox/outbox.ts'
import type { I18n, MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { FILES_REFUSED_TEXT, rawReasons, refusalText } from '#messages/reason-text.ts'

/** Returns the queued changes of one まとめて登録 (one save for several requests), including this change. */
export const savedTogether = (item: QueueItem, queue: readonly QueueItem[]): QueueItem[] =>
  item.change.group === undefined ? [item] : queue.filter(({ change }) => change.group === item.change.group)

/** Returns the changes that need the record that this change creates. They are discarded with it (RULES SV3, OR3). */
export function discardedWith({ record: { resource, key }, change }: QueueItem, queue: readonly QueueItem[]) {
  const isOfRecord = ({ record }: QueueItem) => record.resource === resource && record.key === key
  if (!isCreating(change)) return []
  return queue.filter((other) => isOfRecord(other) && dependsOnCreate(other.record, other.change))
}

/** Returns the unsent photos that are discarded with the creation of their record: the CRM takes none without a record. */
export function photosDiscardedWith({ change, record }: QueueItem, photos: PhotoProgress | undefined) {
  if (!isCreating(change) || record.serverId !== '') return []
  // Deletions of photos are left, because discarding one would restore the photo.
  return (photos?.items ?? []).filter((photo) => photo.change.kind === 'upload')
}

/**
 * Returns everything that the button 再送 on a card sends again: the change, the refused or expired changes of the same
 * save, the changes that wait for any of these changes, and the photos of the changed records. All are about equally
 * old, so an item that is not sent again would soon expire (sync RULES EX2).
 * @returns dependents first, so that no change is sent before all are marked for resending
 */
export function resentWith(item: QueueItem, queue: readonly QueueItem[], photos: readonly PhotoProgress[]) {
  const saved = [item, ...savedTogether(item, queue).filter((other) => other !== item && isParked(other))]
  const waiting = queue.filter((other) => saved.some(({ change }) => other.blockedBy === change.id))
  const items = [...new Set([...saved, ...waiting])]
  const isTheirs = ({ resource, recordKey }: PhotoProgress) =>
    items.some(({ record }) => record.resource === resource && record.key === recordKey)
  const uploads = photos.filter(isTheirs).flatMap((group) => group.items)
  return [...uploads, ...items.toReversed()].filter(isIdle)
}

/** True if the user may resend or discard the change: it is not being sent, and 再送 or 破棄 was not already pressed. */
export const isIdle = ({ state, progress }: QueueItem): boolean =>
  state !== 'sending' && (progress?.wish ?? 'none') === 'none'

/** URL paths of the forms that show a queued change: `add` a refused or expired creation, `edit` any other change. */
type Paths = Record<'add' | 'edit', string>

/** The edit form for every kind of change. A creation that failed has a local record, which the form can edit. */
const editFormPaths = (slug: string, { record }: QueueItem): Paths => {
  const edit = `/${slug}/${encoded(idOf(record))}/edit`
  return { add: edit, edit }
}

const FORMS: Record<Exclude<PushCollection, OfRequestCollection>, (item: QueueItem) => Paths> = {
  quickReports: ({ record }) => ({
    add: `/quickReport/add/${encoded(idOf(record))}`,
    edit: `/quickReport/${encoded(idOf(record))}/edit`,
  }),
  customerLocationChangeRequests: ({ record }) => ({
    add: `/customerLocationChangeRequest/add/${encoded(record.requestId)}`,
    edit: `/customerLocationChangeRequest/${encoded(idOf(record))}/edit`,
  }),
  noteLocationAreas: (item) => editFormPaths('noteLocationArea', item),
  locationContactChangeRequests({ record }) {
    const isExit = 'contactType' in record && record.contactType === ContactType.code.exit
    const type = isExit ? 'type2' : 'type1'
    return {
      add: `/locationContactChangeRequest/add/${encoded(record.requestId)}/${type}`,
      edit: `/locationContactChangeRequest/${encoded(idOf(record))}/edit/${type}`,
    }
  },
  // `edit` is the detail screen: only photos can be edited. 不要 has no form, so its `add` is 安全対策選択.
  safetyMeasures({ record, change: { fields } }) {
    const { requestId, workingDate } = record
    const measure = `/safetyMeasure/${encoded(idOf(record))}`
    const isNeeded = 'needFlag' in fields && fields.needFlag === SafetyNeedFlag.code.needed
    const safetyType = 'safetyType' in record ? String(record.safetyType) : ''
    const form = isNeeded
      ? `/safetyMeasure/add${query({ requestId, safetyType, workingDate })}`
      : // `workingDateType` is required (spec 2) but empty, because a safety measure's record does not have it.
        `/safetyMeasure/select/${encoded(requestId)}?${new URLSearchParams({ workingDateType: '', workingDate })}`
    return { add: form, edit: measure }
  },
}

const encoded = encodeURIComponent
const idOf = ({ serverId, key }: QueueItem['record']) => serverId || key

const pathsOf = (collection: PushCollection, item: QueueItem): Paths =>
  isOfRequest(collection) ? editFormPaths(declaredFacts[collection].slug, item) : FORMS[collection](item)

/** Returns the URL of 内容を開く: the form with the saved content. 入館登録 has no form and opens the request. */
export function contentPath(item: QueueItem, queue: readonly QueueItem[]): string {
  const { record, change } = item
  const paths = isPushCollection(record.resource) ? pathsOf(record.resource, item) : null
  if (!paths || change.kind === 'entry')
    return `/request/${encoded(record.requestId)}${query({ workingDate: record.workingDate })}`
  if (change.kind === 'edit' || !isParked(item)) return paths.edit
  const others = savedTogether(item, queue)
    .map(({ record: { key } }) => key)
    .filter((key) => key !== record.key)
  return `${paths.add}${query({ other: others.join(',') })}`
}

/** Returns the URL that 内容を開く opens for the photos of a record; null if there are none. */
export function photosPath({ resource, recordKey, items: [first] }: PhotoProgress): string | null {
  if (!first) return null
  const record = { ...first.record, resource, key: recordKey }
  // The kind `edit` selects the record's edit form, which shows the photos.
  return contentPath({ ...first, record, change: { ...first.change, kind: 'edit' } }, [])
}

/** True if the photos wait until their record is sent (sync RULES OR2). */
export const waitForRecord = (photos: PhotoProgress, queue: readonly QueueItem[]): boolean =>
  cardOf(photos, queue)?.record.serverId === ''

function query(params: Record<string, string>): string {
  const given = Object.entries(params).filter(([, value]) => value !== '')
  return given.length > 0 ? `?${new URLSearchParams(given).toString()}` : ''
}

export const PHOTOS_WAIT = {
  record: msg`写真は、この登録が送信されてから送信します。`,
  signal: msg`写真は、電波が戻ると送信します。`,
  login: msg`写真は、再ログインすると送信します。`,
  access: FILES_REFUSED_TEXT,
  store: msg`写真の保存先が応答していません。応答があれば自動で送信します。`,
}

/** Why nothing is being sent although the device is online (sync RULES ST3). */
export const QUEUE_WAIT: Record<QueueWait, MessageDescriptor> = {
  silent: msg`CRMが応答していません。応答があれば自動で送信します。`,
  busy: msg`CRMが混み合っています（429）。しばらくすると自動で送信します。`,
  unavailable: msg`CRMは一時的に利用できません（503）。再開すると自動で送信します。`,
  paused: msg`CRMが理由を示さずに受け付けないため、送信を止めています。自動で確かめながら再開します。`,
}

const WAITS_FOR_EARLIER = msg`先に保存した登録が送信されるまで待ちます。`
/** A colleague's registration came first. The user confirms before the app changes the colleague's record (RULES OR3). */
const WAITS_BESIDE_THEIRS = msg`CRMには別の登録があります。内容を開いて保存し直すと、その登録に送信します。`
const EXPIRED = msg`保存してから24時間以内に送信できませんでした。内容を確認して、再送するか破棄してください。`

/** Returns why a change cannot be sent yet, one reason per line; undefined if there is none. */
export function jobReason(i18n: I18n, { record, state, progress, blockedBy, change }: QueueItem) {
  // A record without a CRM id is still to be created by this user. With an id, a colleague has created it.
  if (blockedBy) return i18n._(record.serverId === '' ? WAITS_FOR_EARLIER : WAITS_BESIDE_THEIRS)
  const reasons = progress?.reasons ?? []
  if (state !== 'failed' && state !== 'expired') return undefined
  if (reasons.length === 0 && state === 'expired') return i18n._(EXPIRED)
  return refusalText(i18n, { reasons, status: progress?.status ?? 0, kind: change.kind })
}

/** Returns the CRM's own texts about a refused change; empty if the CRM sent none. */
export const jobRaw = ({ state, progress }: QueueItem): string[] =>
  state === 'failed' && progress ? rawReasons(progress) : []
