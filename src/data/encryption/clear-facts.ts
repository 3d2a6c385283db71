/**
 * Fields of an encrypted row that are also stored in plain text: ids by which the stores of a signed-out user
 * are reduced without a key (`what-stays.ts`, sync RULES EX6). The encrypted copy of each field is the one
 * that the app reads.
 */
import { PHOTOS } from '#schemas/changes/photo-queue.ts'

type Fields = Readonly<Record<string, unknown>>
type FactsOf = (row: Fields) => Record<string, unknown>

const idsOf = (rows: unknown, name: string) =>
  Array.isArray(rows) ? rows.map((row) => ({ [name]: Reflect.get(Object(row), name) as unknown })) : rows

const draftFacts: FactsOf = ({ saving, resource, recordKey, photos, unwanted }) => ({
  saving,
  resource,
  recordKey,
  photos: idsOf(photos, 'key'),
  // keys of photos
  unwanted,
})

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
