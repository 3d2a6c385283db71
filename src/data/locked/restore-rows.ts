/** Writes rows that an earlier password decrypts into the user's stores, as unsent work. */
import { type PhotoOrigin, photoPlace, type PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import type { Step, Steps } from '#schemas/migrations/step.ts'
import type { Change, StoredRecord } from '#schemas/change.ts'
import { PHOTOS } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { isPushCollection, type PushCollection } from '#schemas/collections/push-collections.ts'
import { isOfKind } from '#schemas/collections/shared.ts'
import { isSameJson } from '#lib/browser/stored-json.ts'
import type { RxCollection, RxDocument } from 'rxdb/plugins/core'
import type { Database } from '#data/database/database.ts'
import { recordOfPhoto } from '#data/photos/photos.ts'
import type { Row } from '#data/storage/docs-table.ts'
import { createSealer, ringOf, type Sealer } from '#data/encryption/key-ring.ts'
import { changesPlace, isNeeded, neededBy, recordPlace, sealedIn, type LockedRow } from './locked-rows.ts'
import { BYTES, CHANGES, OWN } from '#data/database/what-stays.ts'
import { putChanges, putPhoto, putRecord } from './put-record.ts'
import { isSealed, type Cryptography, type DataKey, type Sealed } from '#data/encryption/seal.ts'
import { openedRow } from '#data/encryption/sealed-rows.ts'

export interface Restoring {
  db: Database
  bytes: PhotoBytesTable
  cryptography: Cryptography
  keys: readonly DataKey[]
  steps: Steps
  report: (problem: unknown) => void
  /** Called for each draft that is not restored, because its form contains other text now. */
  occupied?: () => void
}

interface RestoringNow extends Restoring {
  sealer: Sealer
  /** Names (`placeOf`) of the rows that cannot be restored now. */
  staying: Set<string>
}

/**
 * Restores all rows that the keys decrypt and whose needed rows (`neededBy`) are restored or on the device.
 * @param noted called for each restored row that other rows never need, once the row is on disk; the caller must
 * delete the row from the locked rows, because it may be sent at once and must not be restored twice
 * @returns ids of all restored rows that no remaining locked row needs
 */
export async function restoreRows(
  rows: AsyncIterable<LockedRow> | Iterable<LockedRow>,
  restoring: Restoring,
  noted: (id: string) => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const sealer = createSealer(restoring.cryptography, ringOf(...restoring.keys))
  const staying = new Set<string>()
  const now: RestoringNow = { ...restoring, sealer, staying }
  const keyIds = new Set(restoring.keys.map(({ id }) => id))
  const isOpened = (row: LockedRow) => sealedIn(row).some(({ key }) => keyIds.has(key))
  const restored: LockedRow[] = []
  /** Names (`placeOf`) of the rows that the staying rows need. */
  const needed = new Set<string>()
  /** Restores those rows of a group that the keys decrypt: all of these or none. */
  const restoreGroup = async (
    group: readonly LockedRow[],
    run: (opened: readonly LockedRow[]) => Promise<boolean>,
  ) => {
    const opened = group.filter(isOpened)
    const done = opened.length > 0 && (await run(opened)) ? opened : []
    for (const row of group.filter((each) => !done.includes(each))) {
      staying.add(placeOf(row, now.db))
      for (const place of neededBy(row)) needed.add(place)
    }
    restored.push(...done)
    for (const row of done) if (!isNeeded(row)) await noted(row.id)
  }
  const records: LockedRow[] = []
  for await (const row of rows)
    if (row.collection === BYTES) await restoreGroup([row], () => restoreBytes(row, now))
    else records.push(row)
  for (const group of groupsInOrder(records))
    await restoreGroup(group, (opened) => restoreOpened(opened, now))
  // A needed row stays locked as well, because its restored copy could be deleted before the row that needs it is
  // restored.
  return restored.filter((row) => !needed.has(placeOf(row, now.db))).map(({ id }) => id)
}

/**
 * Groups rows in the order in which they are restored: records before photos, which would otherwise be refused. All
 * changes of a record form one group, because later changes build on earlier ones.
 */
function groupsInOrder(rows: readonly LockedRow[]): LockedRow[][] {
  const rank = ({ collection }: LockedRow) =>
    collection === OWN ? 0 : collection === CHANGES ? 2 : collection === PHOTOS ? 3 : 1
  const groups = new Map<string, LockedRow[]>()
  for (const row of rows.toSorted((a, b) => rank(a) - rank(b))) {
    const group = row.collection === CHANGES ? placeOfChange(row) : row.id
    groups.set(group, [...(groups.get(group) ?? []), row])
  }
  return [...groups.values()]
}

const placeOfChange = ({ row }: LockedRow) =>
  changesPlace({ resource: String(row['resource']), recordKey: String(row['recordKey']) })

/** Returns the name by which other rows refer to this row (`neededBy`). */
const placeOf = (locked: LockedRow, db: Database): string => {
  const { collection, row } = locked
  if (collection === CHANGES) return placeOfChange(locked)
  return `${collection} ${String(row[collectionOf(db, collection)?.schema.primaryPath ?? 'key'])}`
}

/** True if a row that this row needs cannot be restored. A draft is restored without a photo whose bytes are damaged. */
async function lacksAny({ collection, row }: LockedRow, document: Document, { db, staying }: RestoringNow) {
  if (collection === OWN) return false
  const lacking = neededBy({ collection, row: { ...row, ...document } }).filter((place) => staying.has(place))
  if (lacking.length === 0) return false
  const owner = document as Pick<PhotoRecord, 'resource' | 'recordKey'>
  // The record may be on the device in another state, which suffices for the photo or change.
  const hasRecord = (await recordOfPhoto(db, owner)) !== null
  return lacking.some(
    (place) => !hasRecord || (place !== recordPlace(owner) && place !== changesPlace(owner)),
  )
}

/** Calls `run`; null if it fails because the row is damaged, which is reported. */
async function openedOrNull<T>({ id }: LockedRow, run: () => Promise<T>, { report }: Restoring) {
  try {
    return await run()
  } catch (error) {
    report(`sealed ${id} stays locked: ${String(error)}`)
    return null
  }
}

async function restoreBytes(locked: LockedRow, now: RestoringNow): Promise<boolean> {
  const { key, row, info } = locked
  const { db, bytes, sealer } = now
  if (await bytes.get(key)) return true
  const [sealed, sealedThumb] = [row['bytes'] as Sealed, row['thumb'] as Sealed | undefined]
  const origin: unknown = info?.['origin']
  const read = async () => ({
    photo: await sealer.openBytes(photoPlace(db.name, 'bytes', key), sealed),
    thumb: sealedThumb && (await sealer.openBytes(photoPlace(db.name, 'thumb', key), sealedThumb)),
    ...(isSealed(origin) && {
      origin: (await sealer.openValue(photoPlace(db.name, 'origin', key), origin)) as PhotoOrigin,
    }),
  })
  const opened = await openedOrNull(locked, read, now)
  if (!opened) return false
  const { photo, ...options } = opened
  await bytes.put(key, photo, options)
  return true
}

/** Returns the decrypted document of a row; null if the row cannot be restored now, DELETED for a deleted document. */
async function documentOf(locked: LockedRow, now: RestoringNow): Promise<Document | typeof DELETED | null> {
  const { collection, version, row } = locked
  const { db, steps, sealer } = now
  const target = collectionOf(db, collection)
  if (!target) {
    now.report(`sealed ${locked.id} stays locked: no collection ${collection}`)
    return null
  }
  const read = async () => {
    const opened = await openedRow(sealer, { database: db.name, collection, version }, row)
    if (opened._deleted === '1') return DELETED
    const { _deleted, _meta, _rev, _attachments, ...stored } = opened as Row & Document
    return migrated(stored, locked, steps, target.schema.version)
  }
  const document = await openedOrNull(locked, read, now)
  if (!document || document === DELETED) return document
  return (await lacksAny(locked, document, now)) ? null : document
}

/** Restores these rows of one group (`groupsInOrder`), or none of them. A newer save on the device is not overwritten. */
async function restoreOpened(opened: readonly LockedRow[], now: RestoringNow): Promise<boolean> {
  const documents: Document[] = []
  for (const row of opened) {
    const document = await documentOf(row, now)
    if (!document) return false
    if (document !== DELETED) documents.push(document)
  }
  const [first] = documents
  const collection = opened[0]?.collection ?? ''
  if (!first) return true
  if (collection === CHANGES) {
    const { resource } = first as Change
    await putChanges(now.db, resource as PushCollection, documents as Change[])
  } else if (isPushCollection(collection)) await putRecord(now.db, collection, first as StoredRecord)
  else if (collection === PHOTOS) await putPhoto(now.db, first as PhotoRecord)
  else return restoreOwn(collection, first, now)
  return true
}

/**
 * Restores a row of the collection `own`. A draft is restored only into an empty form, which the write itself checks,
 * because the user may be typing. Returns false if the form has other text.
 */
async function restoreOwn(collection: string, document: Document, now: RestoringNow): Promise<boolean> {
  const doc = await collectionOf(now.db, collection)?.insertIfNotExists(document)
  if (!doc || !isOfKind('drafts', doc.primary)) return true
  const input = inputOf(document)
  const isEmpty = (draft: Document) => isSameJson(inputOf(draft), NO_INPUT)
  const current = doc.deleted ? {} : doc.toMutableJSON()
  if (!doc.deleted && isSameJson(inputOf(current), input)) return true
  let written: RxDocument<Document> = doc
  if (isEmpty(current))
    written = await doc.incrementalModify((latest) => {
      if (latest._deleted) return { ...latest, ...document, _deleted: false }
      return isEmpty(latest) ? { ...latest, ...input } : latest
    })
  const isRestored = isSameJson(inputOf(written.toMutableJSON()), input)
  if (!isRestored) now.occupied?.()
  return isRestored
}

const NO_INPUT = { values: '', photos: [], unwanted: [] }
const inputOf = ({ values = '', photos = [], unwanted = [] }: Document) => ({ values, photos, unwanted })
const DELETED = 'deleted'

function collectionOf(db: Database, collection: string): RxCollection<Document> | undefined {
  // The cast is needed because RxDB's type of all collections is too large for TypeScript.
  const all = Object.values(Object(db.collections) as Record<string, RxCollection<Document>>)
  return all.find(({ name }) => name === collection)
}

/** Applies the migration steps since the row was locked. @throws if a step is missing or drops the document */
function migrated(stored: Document, { collection, version }: LockedRow, steps: Steps, targetVersion: number) {
  const ownSteps = Reflect.get(steps, collection) as Record<number, Step> | undefined
  let document: Parameters<Step>[0] | null = { ...stored }
  for (let next = version + 1; next <= targetVersion; next += 1)
    document = (document && ownSteps?.[next]?.(document)) ?? null
  if (!document) throw new Error(`no step for ${collection} of version ${version}`)
  return document
}

type Document = Partial<Pick<FormDraft, 'values' | 'photos' | 'unwanted'>>
