/**
 * Rows sealed one by one: what need not lie in clear lies in one field, with a few facts beside it by which the stores of
 * who is not signed in are swept (`clear-facts.ts`). A row that is not sealed is read as it is.
 *
 *     row ─→ fields that must lie in clear + facts + `sealed` { key, bytes } ─→ disk
 */
import { RXDB_INTERNAL } from '../storage/own-store.ts'
import type { CodecFor, Row, RowStore } from '../storage/row-codec.ts'
import { clearFacts } from './clear-facts.ts'
import type { Sealer } from './key-ring.ts'
import { isSealed, SealError, type SealedPlace } from './seal.ts'

export const SEALED = 'sealed'

/** RxDB's account of its collections has no content, and is read without a key (decision 0060). */
export const sealedRows =
  (sealer: Sealer): CodecFor =>
  (store) =>
    store.collection === RXDB_INTERNAL
      ? null
      : {
          async encode(rows) {
            // none, and none meanwhile: all of them lie as they are
            if ((await sealer.keyId()) === null) return [...rows]
            return Promise.all(rows.map((row) => encodedRow(sealer, store, row)))
          },
          decode: (rows) => Promise.all(rows.map((row) => decodedRow(sealer, store, row))),
        }

const placeOf = ({ database, collection, primary }: RowStore, row: Row): SealedPlace => [
  database,
  collection,
  String(row[primary]),
]

async function encodedRow(sealer: Sealer, store: RowStore, row: Row): Promise<Row> {
  const clear: Record<string, unknown> = {}
  const hidden: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) (store.clear.has(name) ? clear : hidden)[name] = value
  const sealed = await sealer.sealValue(placeOf(store, row), hidden)
  return sealed
    ? { _deleted: row._deleted, ...clear, ...clearFacts(store.collection, row), [SEALED]: sealed }
    : row
}

async function decodedRow(sealer: Sealer, store: RowStore, row: Row): Promise<Row> {
  const { [SEALED]: sealed, ...rest } = row
  if (!isSealed(sealed)) return row
  const hidden = await sealer.openValue(placeOf(store, row), sealed)
  if (typeof hidden !== 'object' || hidden === null) throw new SealError('spoiled', store.collection)
  // the facts beside it are parts of what is sealed
  return { ...rest, ...hidden } as Row
}
