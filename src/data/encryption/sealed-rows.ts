/**
 * The row codec that encrypts each row. Fields that IndexedDB does not need are encrypted into one field. A
 * few ids also stay in plain text, so that the stores of a signed-out user can be reduced without a key
 * (`clearFacts`). All plain-text fields are additional data of the encryption.
 *
 *     row ─→ plain-text fields + ids + `sealed` { key, bytes } ─→ disk
 *
 * If the user has a key, a row that is not encrypted, or whose plain-text fields were changed, is refused: it
 * reads as if it did not exist.
 */
import { RXDB_INTERNAL } from '#data/database/database-name.ts'
import type { CodecFor, Row, RowStore } from '#data/storage/row-codec.ts'
import { type Sealer, createSealer, ringOf } from './key-ring.ts'
import { isSealed, SealError, type SealedPlace, type Cryptography } from './seal.ts'
import { PHOTOS } from '#schemas/changes/photo-queue.ts'
import { isLocked, usableKeys, type KeyStore } from './stored-keys.ts'

/** Name of the field with the encrypted part of a row. */
export const SEALED = 'sealed'

/** Called with the reason for which a row is not read. */
export type Refused = (error: SealError) => void

/**
 * Returns the codec for each store. RxDB's list of its collections contains no user data and is read without
 * a key (decisions/updates).
 */
export const sealedRows =
  (sealer: Sealer, refused: Refused = () => undefined): CodecFor =>
  (store) =>
    store.collection === RXDB_INTERNAL
      ? null
      : {
          async encode(rows) {
            return Promise.all(rows.map((row) => encodedRow(sealer, store, row)))
          },
          async decode(rows) {
            const opened = await Promise.all(rows.map((row) => openedOrNull(sealer, store, row, refused)))
            return opened.filter((row) => row !== null)
          },
          putBack: () => refused(new SealError('older', store.collection)),
        }

type Place = Pick<RowStore, 'database' | 'collection' | 'version'>

/** The place of a row, which includes its plain-text fields. */
export function placeOfRow({ database, collection, version }: Place, row: object): SealedPlace {
  const { [SEALED]: _sealed, ...clear } = row as Record<string, unknown>
  return [database, collection, JSON.stringify([version, clear])]
}

async function encodedRow(sealer: Sealer, store: RowStore, row: Row): Promise<Row> {
  const visible: Row = { _deleted: row._deleted }
  const hidden: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) (store.clear.has(name) ? visible : hidden)[name] = value
  Object.assign(visible, clearFacts(store.collection, row))
  const sealed = await sealer.sealValue(placeOfRow(store, visible), hidden)
  return sealed ? { ...visible, [SEALED]: sealed } : row
}

/**
 * Decrypts a row.
 * @throws SealError if the row was changed or its key is not available
 */
export async function openedRow(sealer: Sealer, store: Place, row: Row): Promise<Row> {
  const { [SEALED]: sealed, ...rest } = row
  if (!isSealed(sealed)) {
    if ((await sealer.keyId()) === null) return row
    throw new SealError('clear', store.collection)
  }
  const hidden = await sealer.openValue(placeOfRow(store, row), sealed)
  if (typeof hidden !== 'object' || hidden === null) throw new SealError('spoiled', store.collection)
  // The plain-text ids are copies of encrypted fields.
  return { ...rest, ...hidden } as Row
}

async function openedOrNull(
  sealer: Sealer,
  store: RowStore,
  row: Row,
  refused: Refused,
): Promise<Row | null> {
  try {
    return await openedRow(sealer, store, row)
  } catch (error) {
    // Without the key the row cannot be judged: the user's data is being closed.
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

/** The plain-text ids of each collection (`what-stays.ts`, sync RULES EX6). The app reads their encrypted copies. */
const FACTS: Readonly<Record<string, FactsOf>> = {
  changes: ({ resource, recordKey, state }) => ({ resource, recordKey, state }),
  [PHOTOS]: ({ resource, recordKey }) => ({ resource, recordKey }),
  own: (row) => ({ key: row['key'], ...draftFacts(row) }),
}

/** Returns the plain-text fields of a row, only those that it has. */
export function clearFacts(collection: string, row: Fields): Record<string, unknown> {
  const facts = FACTS[collection]?.(row)
  return Object.fromEntries(Object.entries(facts ?? {}).filter(([name]) => Object.hasOwn(row, name)))
}

/**
 * Returns the codec of a user, for code that reads the stores without the app; null if the user's key is locked
 * or has no record.
 */
export const codecOfUser =
  (cryptography: Cryptography, store: Pick<KeyStore, 'get'>, refused: Refused) =>
  async (user: string): Promise<CodecFor | null> => {
    const record = await store.get(user)
    if (!record || isLocked(record)) return null
    return sealedRows(createSealer(cryptography, ringOf(...usableKeys(record))), refused)
  }
