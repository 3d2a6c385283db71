/**
 * Finds the record that a URL names, by its CRM id or by its local key. A local key can equal the CRM id of another
 * record, so a match by CRM id comes first.
 */

/** RxDB selector of the records whose CRM id or local key is `id`. */
export const idOrKeySelector = (id: string) => ({ $or: [{ key: id }, { serverId: id }] })

/**
 * True if `id` is only the local key of a record that has another CRM id. A second record with `id` as its CRM id may
 * exist in the CRM.
 */
export const isKeyAmbiguous = (records: readonly { key: string; serverId: string }[], id: string): boolean =>
  records.every(({ serverId }) => serverId !== id) &&
  records.some(({ key, serverId }) => key === id && serverId !== '')

/**
 * Finds a record by CRM id, otherwise by local key. A record that was sent has both; a form may still be open under the
 * key.
 * @param isCrmId true if a record with this CRM id exists. A key with the same text then finds unsent records only.
 */
export const findByIdOrKey = <R extends { key: string; serverId: string }>(
  records: readonly R[],
  id: string,
  isCrmId = false,
): R | undefined =>
  records.find(({ serverId }) => serverId !== '' && serverId === id) ??
  records.find(({ key, serverId }) => key === id && (serverId === '' || !isCrmId))
