/**
 * What an address names: a record by the CRM's id or, before the CRM has given it one, by its local key. A key may be made of
 * another table's id (a request's), so an id of the CRM goes before a key of the same letters.
 */

/** For the records that may be meant. */
export const idOrKeySelector = (id: string) => ({ $or: [{ key: id }, { serverId: id }] })

/** Whether it is of any weight that the CRM has a record of this id: a key is the same, of a record that has another there. */
export const isKeyAmbiguous = (records: readonly { key: string; serverId: string }[], id: string): boolean =>
  records.every(({ serverId }) => serverId !== id) &&
  records.some(({ key, serverId }) => key === id && serverId !== '')

/**
 * The one of them that is meant. A key goes on naming its record once it was sent: its form may be open.
 * @param isCrmId the CRM is known to have a record of this id: a key is meant then only where its record has none
 */
export const findByIdOrKey = <R extends { key: string; serverId: string }>(
  records: readonly R[],
  id: string,
  isCrmId = false,
): R | undefined =>
  records.find(({ serverId }) => serverId !== '' && serverId === id) ??
  records.find(({ key, serverId }) => key === id && (serverId === '' || !isCrmId))
