/** Decrypts locked rows with the keys of an earlier password, and restores them as saves that are not sent yet. */
import { type PhotoOrigin, photoPlace, type PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import type { Step, Steps } from '#schemas/migrations/step.ts'
import type { Change, StoredRecord } from '#schemas/change.ts'
import { PHOTOS } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { isPushCollection, type PushCollection } from '#schemas/collections/push-collections.ts'
import { isOfKind } from '#schemas/collections/shared.ts'
import { isSameJson } from '#lib/is-same.ts'
import type { RxCollection, RxDocument } from 'rxdb/plugins/core'
import type { Database } from '#data/database/database.ts'
import { recordOfPhoto } from '#data/photos/photos.ts'
import type { Row } from '#data/storage/row-codec.ts'
import { createSealer, ringOf, type Sealer } from '#data/encryption/key-ring.ts'
import {
  changesPlace,
  CHANGES,
  isNeeded,
  isOfBytes,
  neededBy,
  OWN,
  recordPlace,
  sealedIn,
  type LockedRow,
} from './locked-rows.ts'
import { putPhoto } from './put-photo.ts'
import { foundOrInserted, putChanges, putRecord } from './put-record.ts'
import { isSealed, type Cryptography, type DataKey, type Sealed } from '#data/encryption/seal.ts'
import { openedRow } from '#data/encryption/sealed-rows.ts'

export interface TakeBack {
  db: Database
  bytes: PhotoBytesTable
  cryptography: Cryptography
  keys: readonly DataKey[]
  /** Migration steps, for rows that an earlier app version stored. */
  steps: Steps
  /** Called with each row that its own key does not open: it is damaged. */
  report: (problem: unknown) => void
  /** Called if a draft's form contains other text by now: the draft stays locked. */
  occupied?: () => void
}

/**
 * Restores all rows that the keys open and that lack nothing.
 * @param rows in any order; bytes are restored as they arrive, one in memory at a time
 * @param noted called for each restored row that no other row needs, as soon as it is on disk. It must not be
 * restored again if the page dies before the rest is done, because it may be sent from then on
 * @returns ids of the restored rows that no locked row needs
 * @throws the device's write error
 */
export async function takeBack(
  rows: AsyncIterable<LockedRow> | Iterable<LockedRow>,
  parts: TakeBack,
  noted: (id: string) => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const sealer = createSealer(parts.cryptography, ringOf(...parts.keys))
  const known = new Set(parts.keys.map(({ id }) => id))
  const records: LockedRow[] = []
  const back: LockedRow[] = []
  const stays = new Set<string>()
  const wanted = new Set<string>()
  const isKnown = (each: LockedRow) => sealedIn(each).some(({ key }) => known.has(key))
  const stay = (each: LockedRow) => {
    stays.add(placeOf(each, parts.db))
    for (const id of neededBy(each)) wanted.add(id)
  }
  /** Restores all of these rows, or none. */
  const restoreAll = async (
    all: readonly LockedRow[],
    run: (known: readonly LockedRow[]) => Promise<boolean>,
  ) => {
    const those = all.filter(isKnown)
    const areBack = those.length > 0 && (await run(those))
    for (const each of areBack ? all.filter((one) => !isKnown(one)) : all) stay(each)
    if (!areBack) return
    back.push(...those)
    for (const each of those) if (!isNeeded(each)) await noted(each.id)
  }
  const restore = async (each: LockedRow, run: () => Promise<boolean>) => restoreAll([each], run)
  for await (const each of rows) {
    if (isOfBytes(each.id)) await restore(each, () => restoreBytes(each, sealer, parts))
    else records.push(each)
  }
  const restoreRow = (each: LockedRow) => restore(each, () => restoreRecord(each, { sealer, stays }, parts))
  const inOrder = records.toSorted((a, b) => rank(a) - rank(b))
  const isChange = ({ collection }: LockedRow) => collection === CHANGES
  for (const each of inOrder.filter((row) => rank(row) < PHOTO_RANK && !isChange(row))) await restoreRow(each)
  for (const all of ofRecords(records.filter(isChange)))
    await restoreAll(all, (those) => restoreChanges(those, { sealer, stays }, parts))
  for (const each of inOrder.filter((row) => rank(row) === PHOTO_RANK)) await restoreRow(each)
  // A restored row that another one needs stays locked, too: in its own store a sweep could delete it first.
  return back.filter((each) => !wanted.has(placeOf(each, parts.db))).map(({ id }) => id)
}

/** The order of restoring: a record before its photos, because a photo without a record is refused. */
const rank = ({ collection }: LockedRow): number =>
  collection === OWN ? 0 : collection === PHOTOS ? PHOTO_RANK : 1
const PHOTO_RANK = 2

function ofRecords(changes: readonly LockedRow[]): LockedRow[][] {
  const groups = new Map<string, LockedRow[]>()
  for (const each of changes)
    groups.set(placeOfChange(each), [...(groups.get(placeOfChange(each)) ?? []), each])
  return [...groups.values()]
}

const placeOfChange = ({ row }: LockedRow) =>
  changesPlace({ resource: String(row['resource']), recordKey: String(row['recordKey']) })

/** How other rows refer to this one. */
const placeOf = (locked: LockedRow, db: Database): string => {
  const { collection, row } = locked
  if (collection === CHANGES) return placeOfChange(locked)
  return `${collection} ${String(row[collectionOf(db, collection)?.schema.primaryPath ?? 'key'])}`
}

/**
 * True if the row needs another one that stays locked. A photo needs its bytes and record; a change needs the
 * record it applies to. A draft does not need a damaged photo.
 * @param stays places of rows that stay locked
 */
async function lacksAny(
  { collection, row }: LockedRow,
  document: Document,
  stays: ReadonlySet<string>,
  db: Database,
): Promise<boolean> {
  if (collection === OWN) return false
  const lacking = neededBy({ collection, row: { ...row, ...document } }).filter((id) => stays.has(id))
  if (lacking.length === 0 || (collection !== PHOTOS && collection !== CHANGES)) return lacking.length > 0
  const of = document as Pick<PhotoRecord, 'resource' | 'recordKey'>
  // Another state of its record may have been restored.
  const isThere = (await recordOfPhoto(db, of)) !== null
  return lacking.some((id) => !isThere || (id !== recordPlace(of) && id !== changesPlace(of)))
}

/** Runs `run` and returns its result; null if the row is damaged, which is reported. */
async function opened<T>(
  { id }: LockedRow,
  run: () => Promise<T>,
  { report }: Pick<TakeBack, 'report'>,
): Promise<T | null> {
  try {
    return await run()
  } catch (error) {
    report(`sealed ${id} stays locked: ${String(error)}`)
    return null
  }
}

async function restoreBytes(locked: LockedRow, sealer: Sealer, parts: TakeBack): Promise<boolean> {
  const { row, info } = locked
  const { db, bytes } = parts
  const key = String(row['key'])
  if (await bytes.get(key)) return true
  const [whole, thumb] = [row['bytes'] as Sealed, row['thumb'] as Sealed | undefined]
  const origin: unknown = info?.['origin']
  const read = async () => ({
    whole: await sealer.openBytes(photoPlace(db.name, 'bytes', key), whole),
    thumb: thumb && (await sealer.openBytes(photoPlace(db.name, 'thumb', key), thumb)),
    ...(isSealed(origin) && {
      origin: (await sealer.openValue(photoPlace(db.name, 'origin', key), origin)) as PhotoOrigin,
    }),
  })
  const found = await opened(locked, read, parts)
  if (!found) return false
  const { whole: photo, ...beside } = found
  await bytes.put(key, photo, beside)
  return true
}

interface Opening {
  sealer: Sealer
  stays: ReadonlySet<string>
}

/** The decrypted document of a row; null if it stays locked, DELETED if it was deleted. */
async function documentOf(
  locked: LockedRow,
  { sealer, stays }: Opening,
  parts: TakeBack,
): Promise<Document | typeof DELETED | null> {
  const { collection, version, row } = locked
  const { db, steps } = parts
  const found = collectionOf(db, collection)
  if (!found) {
    parts.report(`sealed ${locked.id} stays locked: no collection ${collection}`)
    return null
  }
  const store = { database: db.name, collection, version }
  const read = async () => {
    const whole = await openedRow(sealer, store, row)
    if (whole._deleted === '1') return DELETED
    const { _deleted, _meta, _rev, _attachments, ...stored } = whole as Row & Document
    return stepped(stored, locked, steps, found.schema.version)
  }
  const document = await opened(locked, read, parts)
  if (!document || document === DELETED) return document
  return (await lacksAny(locked, document, stays, db)) ? null : document
}

/** Restores one row. A newer save on the device is not overwritten. */
async function restoreRecord(locked: LockedRow, opening: Opening, parts: TakeBack): Promise<boolean> {
  const { collection, row } = locked
  const { db } = parts
  const document = await documentOf(locked, opening, parts)
  if (document === DELETED) return true
  const found = collectionOf(db, collection)
  if (!document || !found) return false
  if (isPushCollection(collection))
    return putRecord(db, collection, document as StoredRecord).then(() => true)
  if (collection === PHOTOS) return putPhoto(db, document as PhotoRecord).then(() => true)
  const primary = String(row[found.schema.primaryPath])
  const known = await foundOrInserted(found, primary, () => document)
  const isDraft = known && isOfKind('drafts', primary)
  return isDraft ? restoreDraft(known, document, parts) : true
}

/** Restores all changes of one record, or none, because one builds on the other. */
async function restoreChanges(
  those: readonly LockedRow[],
  opening: Opening,
  parts: TakeBack,
): Promise<boolean> {
  const documents: Change[] = []
  for (const each of those) {
    const document = await documentOf(each, opening, parts)
    if (!document) return false
    if (document !== DELETED) documents.push(document as Change)
  }
  const [first] = documents
  if (first) await putChanges(parts.db, first.resource as PushCollection, documents)
  return true
}

/**
 * Restores a draft if its form is empty; two texts of one form are never merged. The check is part of the
 * write, since the user may type at that moment. A draft that is dropped at that moment is created again.
 * @returns true if the draft is restored
 */
async function restoreDraft(
  known: RxDocument<Document>,
  document: Document,
  parts: TakeBack,
): Promise<boolean> {
  const own = typedIn(document)
  const isEmpty = (now: Document) => isSameJson(typedIn(now), NOTHING_TYPED)
  const now = known.toMutableJSON()
  if (isSameJson(typedIn(now), own)) return true
  const written = isEmpty(now)
    ? await known.incrementalModify((latest) => {
        if (latest._deleted) return { ...latest, ...document, _deleted: false }
        return isEmpty(latest) ? { ...latest, ...own } : latest
      })
    : known
  const isBack = isSameJson(typedIn(written.toMutableJSON()), own)
  if (!isBack) parts.occupied?.()
  return isBack
}

const NOTHING_TYPED = { values: '', photos: [], unwanted: [] }
const typedIn = ({ values = '', photos = [], unwanted = [] }: Document) => ({ values, photos, unwanted })

const DELETED = 'deleted'

function collectionOf(db: Database, collection: string): RxCollection<Document> | undefined {
  // RxDB's own type for all collections together is too large for TypeScript.
  const all = Object.values(Object(db.collections) as Record<string, RxCollection<Document>>)
  return all.find(({ name }) => name === collection)
}

/**
 * Applies the migration steps that the row missed while it was locked.
 * @throws if a step is missing or drops the document
 */
function stepped(
  document: Document,
  { collection, version }: LockedRow,
  steps: Steps,
  until: number,
): Document {
  const own = Reflect.get(steps, collection) as Record<number, Step> | undefined
  let stepping: Parameters<Step>[0] | null = { ...document }
  for (let next = version + 1; next <= until; next += 1)
    stepping = (stepping && own?.[next]?.(stepping)) ?? null
  if (!stepping) throw new Error(`no step for ${collection} of version ${version}`)
  return stepping
}

type Document = Partial<Pick<FormDraft, 'values' | 'photos' | 'unwanted'>>
