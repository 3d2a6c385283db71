/**
 * Finds the record that a URL names, by its CRM id or by its local key. A local key can equal the CRM id of another
 * record, so a match by CRM id comes first.
 */

/** RxDB selector of the records whose CRM id or local key is `id`. */
export const idOrKeySelector = (id: string) => ({ $or: [{ key: id }, { serverId: id }] })

/**
 * True if `id` is no CRM id of these records, but the local key of one that has a CRM id. It is then unknown whether
 * `id` means this record or one of the CRM that is not on the device.
 */
export const isKeyAmbiguous = (records: readonly { key: string; serverId: string }[], id: string): boolean =>
  records.every(({ serverId }) => serverId !== id) &&
  records.some(({ key, serverId }) => key === id && serverId !== '')

/**
 * Finds a record by CRM id, otherwise by local key. A sent record has both: a form that was opened before the sending
 * still uses the key.
 * @param isCrmId true if a record with this CRM id exists in the CRM. As a local key, `id` then finds only a record that
 * was not sent.
 */
export const findByIdOrKey = <R extends { key: string; serverId: string }>(
  records: readonly R[],
  id: string,
  isCrmId = false,
): R | undefined =>
  records.find(({ serverId }) => serverId !== '' && serverId === id) ??
  records.find(({ key, serverId }) => key === id && (serverId === '' || !isCrmId))
