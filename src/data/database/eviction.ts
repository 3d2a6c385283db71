/**
 * What goes from a bounded cache.
 * @param oldestFirst all that is in it, in the order in which it may go
 * @param most of the sizes together
 * @returns so many from the beginning that the others take no more than `most`
 */
export function evicted<T extends { size: number }>(oldestFirst: readonly T[], most: number): T[] {
  let left = sizeOf(oldestFirst)
  return oldestFirst.filter(({ size }) => {
    const goes = left > most
    if (goes) left -= size
    return goes
  })
}

export const sizeOf = (entries: readonly { size: number }[]): number =>
  entries.reduce((sum, { size }) => sum + size, 0)
