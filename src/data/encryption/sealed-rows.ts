/**
 * Rows sealed one by one: what need not lie in clear lies in one field, with a few facts beside it by which the stores of
 * who is not signed in are swept (`clear-facts.ts`). All that lies in clear is bound to what is sealed.
 *
 *     row ─→ fields that must lie in clear + facts + `sealed` { key, bytes } ─→ disk
 *
 * Where the user has a key, a row that is not sealed, or of which a field was changed, added or removed, is refused: it is
 * read as if it were not there.
 */
import { RXDB_INTERNAL } from '#data/storage/own-store.ts'
import type { CodecFor, Row, RowStore } from '#data/storage/row-codec.ts'
import { clearFacts } from './clear-facts.ts'
import type { Sealer } from './key-ring.ts'
import { isSealed, SealError, type SealedPlace } from './seal.ts'

export const SEALED = 'sealed'

/** Told of each row that is refused. */
export type Refused = (error: SealError) => void

/** RxDB's account of its collections has no content, and is read without a key (decisions/updates). */
export const sealedRows =
  (sealer: Sealer, refused: Refused = () => undefined): CodecFor =>
  (store) =>
    store.collection === RXDB_INTERNAL
      ? null
      : {
          async encode(rows) {
            // a device without keys, in tests
            if ((await sealer.keyId()) === null) return [...rows]
            return Promise.all(rows.map((row) => encodedRow(sealer, store, row)))
          },
          async decode(rows) {
            const opened = await Promise.all(rows.map((row) => openedOrNull(sealer, store, row, refused)))
            return opened.filter((row) => row !== null)
          },
          putBack: () => refused(new SealError('older', store.collection)),
        }

type Place = Pick<RowStore, 'database' | 'collection' | 'version'>

/** Where a row lies, with all that lies in clear beside what is sealed of it. */
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

/** @throws SealError where it is not as it was sealed, or there is no key for it */
export async function openedRow(sealer: Sealer, store: Place, row: Row): Promise<Row> {
  const { [SEALED]: sealed, ...rest } = row
  if (!isSealed(sealed)) {
    if ((await sealer.keyId()) === null) return row
    throw new SealError('clear', store.collection)
  }
  const hidden = await sealer.openValue(placeOfRow(store, row), sealed)
  if (typeof hidden !== 'object' || hidden === null) throw new SealError('spoiled', store.collection)
  // the facts beside it are parts of what is sealed
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
    // without a key nothing is known of it: the user's data is being closed
    if (!(error instanceof SealError) || error.kind === 'no-key') throw error
    refused(error)
    return null
  }
}
