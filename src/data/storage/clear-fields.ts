/** What of a row must lie as it is, whatever a codec does with the rest. */

/** What the storage itself looks at, beside the key and the indexes. */
const OWN_FIELDS = ['_deleted', '_rev', '_meta', '_attachments']

/** Whole fields: of an index on a part of one all of it lies as it is. */
export const clearFields = (
  primary: string,
  indexes: readonly (string | readonly string[])[],
): ReadonlySet<string> =>
  new Set([primary, ...indexes.flat().map((path) => path.split('.', 1)[0] ?? path), ...OWN_FIELDS])
