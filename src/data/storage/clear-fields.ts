/** Fields that the storage itself reads, in addition to the key and the indexes. */
const OWN_FIELDS = ['_deleted', '_rev', '_meta', '_attachments']

/**
 * Returns the names of the fields that must stay in plain text. If an index uses a nested field, the whole outer field
 * stays in plain text.
 */
export const clearFields = (
  primary: string,
  indexes: readonly (string | readonly string[])[],
): ReadonlySet<string> =>
  new Set([primary, ...indexes.flat().map((path) => path.split('.', 1)[0] ?? path), ...OWN_FIELDS])
