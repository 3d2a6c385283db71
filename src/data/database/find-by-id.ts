/**
 * Finds the record that a URL names: by its CRM id or, before the CRM has assigned an id, by its local key. A local key
 * may be built from a request's id, so it can equal the CRM id of another record. A match by CRM id wins.
 */

/** RxDB selector for records whose CRM id or local key equals `id`. */
export const idOrKeySelector = (id: string) => ({ $or: [{ key: id }, { serverId: id }] })

/**
 * True if `id` matches a local key of a record with a different CRM id, but no CRM id. The record with that
 * CRM id may simply not be on the device yet.
 */
export const isKeyAmbiguous = (records: readonly { key: string; serverId: string }[], id: string): boolean =>
  records.every(({ serverId }) => serverId !== id) &&
  records.some(({ key, serverId }) => key === id && serverId !== '')

/**
 * Finds a record by CRM id, else by local key. A key still finds its record after it was sent, because a form
 * may still be open under that key.
 * @param isCrmId true if the CRM is known to have a record with this id: a key then only matches records
 * without a CRM id
 */
export const findByIdOrKey = <R extends { key: string; serverId: string }>(
  records: readonly R[],
  id: string,
  isCrmId = false,
): R | undefined =>
  records.find(({ serverId }) => serverId !== '' && serverId === id) ??
  records.find(({ key, serverId }) => key === id && (serverId === '' || !isCrmId))
