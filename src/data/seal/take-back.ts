/** What was set aside, opened by the password of then, goes where it belongs: as saves that are not sent yet. */
import type { PhotoOrigin } from '../photo-bytes-tables.ts'
import { photoPlace, type PhotoBytesTable } from '../photo-bytes.ts'
import type { CollectionName } from '#schemas/collections.ts'
import type { Step, Steps } from '#schemas/migrations/step.ts'
import type { RxCollection } from 'rxdb/plugins/core'
import type { Database } from '../database.ts'
import type { Row } from '../storage/row-codec.ts'
import { createSealer, ringOf, type Sealer } from './key-ring.ts'
import { isOfBytes, sealedIn, type AsideRow } from './aside-rows.ts'
import { isSealed, type Cryptography, type DataKey, type Sealed } from './seal.ts'
import { sealedRows } from './sealed-rows.ts'

const OWN: CollectionName = 'own'

export interface TakeBack {
  db: Database
  bytes: PhotoBytesTable
  cryptography: Cryptography
  keys: readonly DataKey[]
  /** From what a version of the app before stored. */
  steps: Steps
}

/**
 * @param rows in any order; bytes are taken as they come, and not held
 * @returns the ids of those that are on disk where they belong; the others are of other keys
 */
export async function takeBack(
  rows: AsyncIterable<AsideRow> | Iterable<AsideRow>,
  parts: TakeBack,
): Promise<string[]> {
  const sealer = createSealer(parts.cryptography, ringOf(...parts.keys))
  const known = new Set(parts.keys.map(({ id }) => id))
  const ids: string[] = []
  const records: AsideRow[] = []
  // a photo never stands without its bytes, nor a change without what the ledger says of it: it may have been sent
  for await (const each of rows) {
    if (!sealedIn(each).some(({ key }) => known.has(key))) continue
    ids.push(each.id)
    if (isOfBytes(each.id)) await bytesBack(each, sealer, parts)
    else records.push(each)
  }
  for (const each of records.toSorted(byLedger)) await recordBack(each, sealer, parts)
  return ids
}

const byLedger = (a: AsideRow, b: AsideRow) => Number(b.collection === OWN) - Number(a.collection === OWN)

async function bytesBack({ row, info }: AsideRow, sealer: Sealer, { db, bytes }: TakeBack): Promise<void> {
  const key = String(row['key'])
  if (await bytes.get(key)) return
  const [whole, thumb] = [row['bytes'] as Sealed, row['thumb'] as Sealed | undefined]
  const origin: unknown = info?.['origin']
  await bytes.put(key, await sealer.openBytes(photoPlace(db.name, 'bytes', key), whole), {
    thumb: thumb && (await sealer.openBytes(photoPlace(db.name, 'thumb', key), thumb)),
    ...(isSealed(origin) && {
      origin: (await sealer.openValue(photoPlace(db.name, 'origin', key), origin)) as PhotoOrigin,
    }),
  })
}

/** What was saved since stays, and what it lacks of the changes of then is added. */
async function recordBack(aside: AsideRow, sealer: Sealer, { db, steps }: TakeBack): Promise<void> {
  const { collection, row } = aside
  // RxDB's own type of all collections in one is too large for TypeScript
  const all = Object.values(Object(db.collections) as Record<string, RxCollection<Document>>)
  const found = all.find(({ name }) => name === collection)
  if (!found) throw new Error(`no collection ${collection}`)
  const primary = found.schema.primaryPath
  const store = { database: db.name, collection, primary, clear: new Set<string>() }
  const [opened] = (await sealedRows(sealer)(store)?.decode([row])) ?? []
  if (!opened || opened._deleted === '1') return
  const { _deleted, _meta, _rev, _attachments, ...stored } = opened as Row & Document
  const document = stepped(stored, aside, steps, found.schema.version)
  const find = () => found.findOne(String(row[primary])).exec()
  const inserted = () =>
    found.insert(document).then(
      () => null,
      async (error: unknown) => {
        // another tab takes it back at this moment
        const theirs = await find()
        if (theirs) return theirs
        throw error
      },
    )
  const known = (await find()) ?? (await inserted())
  if (!known) return
  const more = changesOf(document)
  if (more.length > 0)
    await known.incrementalModify((now) => {
      const own = changesOf(now)
      const ids = new Set(own.map(({ id }) => id))
      return { ...now, changes: [...own, ...more.filter(({ id }) => !ids.has(id))], unsent: 'yes' }
    })
}

/** As it would have been migrated, had it been in its place. @throws where it cannot be: then it stays aside */
function stepped(
  document: Document,
  { collection, version }: AsideRow,
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

interface Document {
  changes?: { id: string }[]
  unsent?: string
}

const changesOf = ({ changes }: Document) => changes ?? []
