/**
 * Encrypts and decrypts the rows of the stores. Fields that IndexedDB does not need are encrypted together into one
 * field. Some ids stay in plain text as well, so that most data of a signed-out user can be deleted without a key
 * (`clearFacts`). All plain-text fields are authenticated.
 *
 *     row ─→ plain-text fields + ids + `sealed` { key, bytes } ─→ disk
 *
 * A row that is not encrypted or was changed is refused, as if it did not exist.
 */
import type { CodecFor, Row, RowStore } from '#data/storage/docs-table.ts'
import { type Sealer, createSealer, ringOf } from './key-ring.ts'
import { SealError, type SealedPlace } from './seal.ts'
import { PHOTOS } from '#schemas/changes/photo-queue.ts'
import { userOf } from '#data/database/database-name.ts'
import { keyOfStores, type KeyStore } from './stored-keys.ts'

export const SEALED = 'sealed'
export type Refused = (error: SealError) => void

/** Returns the codec of each store. */
export const sealedRows =
  (sealer: Sealer, refused: Refused = () => undefined): CodecFor =>
  (store) => ({
    async encode(rows) {
      return Promise.all(rows.map((row) => encodedRow(sealer, store, row)))
    },
    async decode(rows) {
      const opened = await Promise.all(rows.map((row) => openedOrNull(sealer, store, row, refused)))
      return opened.filter((row) => row !== null)
    },
    putBack: () => refused(new SealError('older', store.collection)),
  })

type Place = Pick<RowStore, 'database' | 'collection' | 'version'>

/** Returns the place of a row for the encryption; it includes the row's plain-text fields. */
export function placeOfRow({ database, collection, version }: Place, row: object): SealedPlace {
  const { [SEALED]: _sealed, ...clear } = row as Record<string, unknown>
  return [database, collection, JSON.stringify([version, clear])]
}

async function encodedRow(sealer: Sealer, store: RowStore, row: Row): Promise<Row> {
  const visible: Row = { _deleted: row._deleted }
  const hidden: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    const part = store.clear.has(name) ? visible : hidden
    part[name] = value
  }
  Object.assign(visible, clearFacts(store.collection, row))
  return { ...visible, [SEALED]: await sealer.sealValue(placeOfRow(store, visible), hidden) }
}

/** Decrypts a row. @throws SealError if the row was changed, or if its key is not available */
export async function openedRow(sealer: Sealer, store: Place, row: Row): Promise<Row> {
  const { [SEALED]: sealed, ...rest } = row
  const hidden = await sealer.openValue(placeOfRow(store, row), sealed)
  if (typeof hidden !== 'object' || hidden === null) throw new SealError('spoiled', store.collection)
  // The decrypted fields overwrite the ids that are also stored in plain text.
  return { ...rest, ...hidden } as Row
}

async function openedOrNull(sealer: Sealer, store: RowStore, row: Row, refused: Refused) {
  try {
    return await openedRow(sealer, store, row)
  } catch (error) {
    // A missing key does not make the row bad. It means that the user's data is being closed.
    if (!(error instanceof SealError) || error.kind === 'no-key') throw error
    refused(error)
    return null
  }
}

type Fields = Readonly<Record<string, unknown>>
type FactsOf = (row: Fields) => Record<string, unknown>

const idsOf = (rows: unknown, name: string) =>
  Array.isArray(rows) ? rows.map((row) => ({ [name]: Reflect.get(Object(row), name) as unknown })) : rows

const draftFacts: FactsOf = ({ saving, resource, recordKey, photos, unwanted }) => ({
  saving,
  resource,
  recordKey,
  photos: idsOf(photos, 'key'),
  unwanted,
})

/** Ids of each collection that are stored in plain text too (`what-stays.ts`, sync RULES EX6). */
const FACTS: Readonly<Record<string, FactsOf>> = {
  changes: ({ resource, recordKey, state }) => ({ resource, recordKey, state }),
  [PHOTOS]: ({ resource, recordKey }) => ({ resource, recordKey }),
  own: (row) => ({ key: row['key'], ...draftFacts(row) }),
}

export function clearFacts(collection: string, row: Fields): Record<string, unknown> {
  const facts = FACTS[collection]?.(row)
  return Object.fromEntries(Object.entries(facts ?? {}).filter(([name]) => Object.hasOwn(row, name)))
}

/** Returns the codec of a user's stores for the service worker's migration; null if their key is locked or missing. */
export const codecOfStores =
  (store: Pick<KeyStore, 'get'>, refused: Refused) =>
  async (stores: string): Promise<CodecFor | null> => {
    const { id = '', usable } = keyOfStores(await store.get(userOf(stores)), stores) ?? {}
    return usable ? sealedRows(createSealer(ringOf({ id, key: usable })), refused) : null
  }
