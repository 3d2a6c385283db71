/** Fields of a row that a codec must leave in plain text. */

/** Fields that the storage itself reads, besides the key and the indexes. */
const OWN_FIELDS = ['_deleted', '_rev', '_meta', '_attachments']

/**
 * Names of the plain-text fields. If an index covers part of a field, the whole field stays in plain text.
 */
export const clearFields = (
  primary: string,
  indexes: readonly (string | readonly string[])[],
): ReadonlySet<string> =>
  new Set([primary, ...indexes.flat().map((path) => path.split('.', 1)[0] ?? path), ...OWN_FIELDS])
