/**
 * Decides which rows stay on the device after a logout: data that the CRM lacks, recent drafts, and photos whose
 * deletion is part of these drafts (sync RULES SV3, EX6). All other rows can be fetched from the CRM again. Pure.
 */
import type { CollectionName } from '#schemas/collections/collections.ts'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import { rowKeyOf } from '#schemas/collections/shared.ts'
import { dayOfPhotoChain, PHRASES_DRAFT } from '#schemas/resources/visit-key.ts'
import { PHOTOS } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'

/** A document as RxDB's Dexie storage stores it, or the metadata of photo bytes. */
export type Row = Record<string, unknown>
/** Rows by collection; `bytes` contains the metadata of photo bytes. */
export type Stored = ReadonlyMap<string, readonly Row[]>
/** Keys of the rows that stay, by collection. */
type Staying = ReadonlyMap<string, ReadonlySet<string>>

/** Times in epoch ms. */
export interface Until {
  /** Drafts last changed before this time are deleted (EX1). */
  drafts: number
  /** Bytes stored after this time stay, because they may belong to a photo that is being saved. */
  bytes: number
}

export const CHANGES: CollectionName = 'changes'
export const OWN: CollectionName = 'own'
/** Stands for the photo bytes where a collection's name is expected. The bytes are in a database of their own. */
export const BYTES = 'bytes'

/** True if the rows of this store are needed to decide which rows stay after a logout. */
export const decidesWhatStays = (name: string): boolean =>
  isPushCollection(name) || [PHOTOS, CHANGES, OWN, BYTES].includes(name)

const textOf = (row: Row, name: string): string => {
  const value = row[name]
  return typeof value === 'string' ? value : ''
}
const isLive = ({ _deleted: deleted }: Row) => deleted !== '1' && deleted !== true
const recordOf = (change: Row) => `${textOf(change, 'resource')} ${textOf(change, 'recordKey')}`
const isOpenChange = (row: Row) => !['accepted', 'discarded'].includes(textOf(row, 'state'))

export function whatStays(stored: Stored, until: Until): Staying {
  const live = (name: string) => (stored.get(name) ?? []).filter(isLive)
  const drafts = live(OWN).filter((row) => isPreservedDraft(row, until)) as (Row & FormDraft)[]
  // A photo that a draft marks for deletion stays. The draft has the photo's key, and a photo that is fetched again gets
  // a new key.
  const marked = new Set(drafts.flatMap(({ unwanted }) => unwanted))
  const photos = live(PHOTOS).filter(
    ({ key, unsent }) => unsent === 'yes' || marked.has(String(key)),
  ) as (Row & PhotoRecord)[]
  // The record of a staying photo or of an interrupted save stays as well.
  const parts = [...photos, ...drafts.filter(isBeingSaved)]
  const isOwner = (name: string, row: Row) =>
    parts.some(({ resource, recordKey }) => resource === name && recordKey === row['key'])

  const staying = new Map<string, Set<string>>()
  const unsent = new Set(live(CHANGES).filter(isOpenChange).map(recordOf))
  // Accepted changes of a record with unsent changes stay as well, because they contain the record's CRM id.
  const changes = live(CHANGES).filter(
    (row) => unsent.has(recordOf(row)) || isOwner(textOf(row, 'resource'), { key: row['recordKey'] }),
  )
  staying.set(CHANGES, keysOf(changes, 'id'))
  const isChanged = (name: string, row: Row) =>
    changes.some((change) => change['resource'] === name && change['recordKey'] === row['key'])
  for (const name of [...stored.keys()].filter(isPushCollection)) {
    const preserved = live(name).filter((row) => isOwner(name, row) || isChanged(name, row))
    staying.set(name, keysOf(preserved, 'key'))
  }
  staying.set(PHOTOS, keysOf(photos, 'key'))
  staying.set(OWN, keysOf(drafts, 'rowKey'))
  const photoKeys = new Set([
    ...photos.filter(({ unsent }) => unsent === 'yes').map(({ key }) => key),
    ...drafts.flatMap((draft) => draft.photos.map(({ key }) => key)),
  ])
  const isYoung = ({ cached, putAt }: Row) => cached !== 1 && Number(putAt) > until.bytes
  const bytes = (stored.get(BYTES) ?? []).filter((row) => photoKeys.has(textOf(row, 'key')) || isYoung(row))
  staying.set(BYTES, keysOf(bytes, 'key'))
  // Hash chains stay only beside other rows. Alone they prove nothing: photos that are fetched again get new keys.
  const chains = drafts.filter(isPhotoChain).length
  const all = [...staying.values()].reduce((sum, { size }) => sum + size, 0)
  if (all === chains) staying.set(OWN, new Set())
  return staying
}

/** A draft of an interrupted save stays, because the next start completes the save. */
const isPreservedDraft = (row: Row, until: Until) =>
  isBeingSaved(row) || (!isOwnSentences(row) && isYoungDraft(row, until))

const PHRASES = rowKeyOf('drafts', PHRASES_DRAFT)

/** True for the row with the user's own text templates. It is stored as a draft, but is no unsent work. */
export const isOwnSentences = (row: Row) => row['rowKey'] === PHRASES

/** True for the row with the hash chain of a day's photos. It is stored as a draft, but is no unsent work. */
export const isPhotoChain = (row: Row) => dayOfPhotoChain(textOf(row, 'key')) !== null

const isBeingSaved = (row: Row) => textOf(row, 'saving') !== ''

const isYoungDraft = ({ _meta: meta }: Row, until: Until) =>
  Number((meta as { lwt?: unknown } | undefined)?.lwt ?? 0) >= until.drafts

const keysOf = (rows: readonly object[], name: string) =>
  new Set(rows.map((row) => String(Reflect.get(row, name))))
