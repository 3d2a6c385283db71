/**
 * What of a sealed row lies in clear beside key and indexes: ids by which the stores of who is not signed in are swept
 * without a key (`what-stays.ts`, sync RULES EX6). The whole field is sealed, too, and that one is read.
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
  // keys
  unwanted,
})

const FACTS: Readonly<Record<string, FactsOf>> = {
  changes: ({ resource, recordKey, state }) => ({ resource, recordKey, state }),
  [PHOTOS]: ({ resource, recordKey }) => ({ resource, recordKey }),
  own: (row) => ({ key: row['key'], ...draftFacts(row) }),
}

/** Only fields that the row has. */
export function clearFacts(collection: string, row: Fields): Record<string, unknown> {
  const facts = FACTS[collection]?.(row)
  return Object.fromEntries(Object.entries(facts ?? {}).filter(([name]) => Object.hasOwn(row, name)))
}
