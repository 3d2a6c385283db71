/**
 * Finds the record that a URL names, by its CRM id or by its local key. A local key can equal the CRM id of another
 * record, so a match by CRM id comes first.
 */

/** RxDB selector of the records whose CRM id or local key is `id`. */
export const idOrKeySelector = (id: string) => ({ $or: [{ key: id }, { serverId: id }] })

/**
 * True if `id` is the CRM id of none of these records, but the local key of a record that has a CRM id. `id` may then
 * also be the CRM id of another record, which is not on the device.
 */
export const isKeyAmbiguous = (records: readonly { key: string; serverId: string }[], id: string): boolean =>
  records.every(({ serverId }) => serverId !== id) &&
  records.some(({ key, serverId }) => key === id && serverId !== '')

/**
 * Finds a record by CRM id, otherwise by local key, because a form that was opened before its record was sent still
 * uses the local key.
 * @param isCrmId true if the CRM has a record with this CRM id; local keys of records with a CRM id are then ignored
 */
export const findByIdOrKey = <R extends { key: string; serverId: string }>(
  records: readonly R[],
  id: string,
  isCrmId = false,
): R | undefined =>
  records.find(({ serverId }) => serverId !== '' && serverId === id) ??
  records.find(({ key, serverId }) => key === id && (serverId === '' || !isCrmId))
