/**
 * Finds the record that an address names: by the CRM's id or, before the CRM has given it one, by its local key. A key may
 * be made of another table's id (a request's), so a CRM id comes before an equal key.
 */

/** Selects the records whose CRM id or local key this is. */
export const idOrKeySelector = (id: string) => ({ $or: [{ key: id }, { serverId: id }] })

/** The same of a record that is at hand. */
export const isOfIdOrKey =
  (id: string) =>
  ({ key, serverId }: { key: string; serverId: string }): boolean =>
    key === id || serverId === id

/**
 * Whether the id may be the CRM id of a record that is not among these: it is only the key of one that has another CRM id.
 */
export const isKeyAmbiguous = (records: readonly { key: string; serverId: string }[], id: string): boolean =>
  records.every(({ serverId }) => serverId !== id) &&
  records.some(({ key, serverId }) => key === id && serverId !== '')

/**
 * A key still finds its record once that was sent: its form may be open.
 * @param isCrmId the CRM is known to have a record of this id: a key then finds only a record without a CRM id
 */
export const findByIdOrKey = <R extends { key: string; serverId: string }>(
  records: readonly R[],
  id: string,
  isCrmId = false,
): R | undefined =>
  records.find(({ serverId }) => serverId !== '' && serverId === id) ??
  records.find(({ key, serverId }) => key === id && (serverId === '' || !isCrmId))
