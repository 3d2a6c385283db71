/** What was set aside, opened by the password of then, goes where it belongs: as saves that are not sent yet. */
import type { PhotoOrigin } from '#data/photo-bytes/photo-bytes-tables.ts'
import { photoPlace, type PhotoBytesTable } from '#data/photo-bytes/photo-bytes.ts'
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
import { recordOfPhoto } from '#data/photos/record-of-photo.ts'
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
  /** From what a version of the app before stored. */
  steps: Steps
  /** Of what its own key does not open: it is spoiled. */
  report: (problem: unknown) => void
  /** Something else was typed into the form of a draft since: the draft stays aside until that is saved or given up. */
  occupied?: () => void
}

/**
 * @param rows in any order; bytes are taken as they come, and not held
 * @param noted told of each that nothing else needs, as soon as it is on disk: it may be sent from then on, and must not come
 * back after that, were the page to die before the rest is there
 * @returns the ids of those that are on disk where they belong; the others are of other keys, spoiled, or need one that is
 * @throws what the device refuses to write
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
  /** All of these rows, or none. */
  const takeAll = async (
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
  const take = async (each: LockedRow, run: () => Promise<boolean>) => takeAll([each], run)
  for await (const each of rows) {
    if (isOfBytes(each.id)) await take(each, () => bytesBack(each, sealer, parts))
    else records.push(each)
  }
  const takeRow = (each: LockedRow) => take(each, () => recordBack(each, { sealer, stays }, parts))
  const inOrder = records.toSorted((a, b) => rank(a) - rank(b))
  const isChange = ({ collection }: LockedRow) => collection === CHANGES
  for (const each of inOrder.filter((row) => rank(row) < PHOTO_RANK && !isChange(row))) await takeRow(each)
  for (const all of ofRecords(records.filter(isChange)))
    await takeAll(all, (those) => changesBack(those, { sealer, stays }, parts))
  for (const each of inOrder.filter((row) => rank(row) === PHOTO_RANK)) await takeRow(each)
  // in its place it may be cleared away before what needs it is back
  return back.filter((each) => !wanted.has(placeOf(each, parts.db))).map(({ id }) => id)
}

/** A record comes before its photos: one that finds no record is refused. */
const rank = ({ collection }: LockedRow): number =>
  collection === OWN ? 0 : collection === PHOTOS ? PHOTO_RANK : 1
const PHOTO_RANK = 2

/** Changes of one record together. */
function ofRecords(changes: readonly LockedRow[]): LockedRow[][] {
  const groups = new Map<string, LockedRow[]>()
  for (const each of changes)
    groups.set(placeOfChange(each), [...(groups.get(placeOfChange(each)) ?? []), each])
  return [...groups.values()]
}

const placeOfChange = ({ row }: LockedRow) =>
  changesPlace({ resource: String(row['resource']), recordKey: String(row['recordKey']) })

/** What others of them refer to it by. */
const placeOf = (aside: LockedRow, db: Database): string => {
  const { collection, row } = aside
  if (collection === CHANGES) return placeOfChange(aside)
  return `${collection} ${String(row[collectionOf(db, collection)?.schema.primaryPath ?? 'key'])}`
}

/**
 * A photo needs its bytes and its record, and a change the record that it is laid over. A draft
 * does without a photo that is spoiled.
 * @param stays places of what stays aside
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
  // another state of its record may be back
  const isThere = (await recordOfPhoto(db, of)) !== null
  return lacking.some((id) => !isThere || (id !== recordPlace(of) && id !== changesPlace(of)))
}

/** @returns what was opened; null where it is spoiled, which is reported */
async function opened<T>(
  { id }: LockedRow,
  run: () => Promise<T>,
  { report }: Pick<TakeBack, 'report'>,
): Promise<T | null> {
  try {
    return await run()
  } catch (error) {
    report(`sealed ${id} stays aside: ${String(error)}`)
    return null
  }
}

async function bytesBack(aside: LockedRow, sealer: Sealer, parts: TakeBack): Promise<boolean> {
  const { row, info } = aside
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
  const found = await opened(aside, read, parts)
  if (!found) return false
  const { whole: photo, ...beside } = found
  await bytes.put(key, photo, beside)
  return true
}

interface Opening {
  sealer: Sealer
  /** Places of what stays aside. */
  stays: ReadonlySet<string>
}

/** The document of a row; null where it stays, GONE where it was deleted. */
async function documentOf(
  aside: LockedRow,
  { sealer, stays }: Opening,
  parts: TakeBack,
): Promise<Document | typeof GONE | null> {
  const { collection, version, row } = aside
  const { db, steps } = parts
  const found = collectionOf(db, collection)
  if (!found) {
    parts.report(`sealed ${aside.id} stays aside: no collection ${collection}`)
    return null
  }
  const store = { database: db.name, collection, version }
  const read = async () => {
    const whole = await openedRow(sealer, store, row)
    if (whole._deleted === '1') return GONE
    const { _deleted, _meta, _rev, _attachments, ...stored } = whole as Row & Document
    return stepped(stored, aside, steps, found.schema.version)
  }
  const document = await opened(aside, read, parts)
  if (!document || document === GONE) return document
  return (await lacksAny(aside, document, stays, db)) ? null : document
}

/** What was saved since stays. */
async function recordBack(aside: LockedRow, opening: Opening, parts: TakeBack): Promise<boolean> {
  const { collection, row } = aside
  const { db } = parts
  const document = await documentOf(aside, opening, parts)
  if (document === GONE) return true
  const found = collectionOf(db, collection)
  if (!document || !found) return false
  if (isPushCollection(collection))
    return putRecord(db, collection, document as StoredRecord).then(() => true)
  if (collection === PHOTOS) return putPhoto(db, document as PhotoRecord).then(() => true)
  const primary = String(row[found.schema.primaryPath])
  const known = await foundOrInserted(found, primary, () => document)
  const isDraft = known && isOfKind('drafts', primary)
  return isDraft ? draftBack(known, document, parts) : true
}

/** Changes of one record, all of them or none: one is made on the other. */
async function changesBack(those: readonly LockedRow[], opening: Opening, parts: TakeBack): Promise<boolean> {
  const documents: Change[] = []
  for (const each of those) {
    const document = await documentOf(each, opening, parts)
    if (!document) return false
    if (document !== GONE) documents.push(document as Change)
  }
  const [first] = documents
  if (first) await putChanges(parts.db, first.resource as PushCollection, documents)
  return true
}

/**
 * Two texts of one form are not put together: none of them may be lost. That there is none is looked at in the write itself,
 * for a key may be pressed in that moment; and one that was dropped in that moment is made anew.
 * @returns whether it is in its place
 */
async function draftBack(known: RxDocument<Document>, document: Document, parts: TakeBack): Promise<boolean> {
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

/** It was deleted before it was set aside. */
const GONE = 'gone'

function collectionOf(db: Database, collection: string): RxCollection<Document> | undefined {
  // RxDB's own type of all collections in one is too large for TypeScript
  const all = Object.values(Object(db.collections) as Record<string, RxCollection<Document>>)
  return all.find(({ name }) => name === collection)
}

/** As it would have been migrated, had it been in its place. @throws where it cannot be */
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
