/**
 * Returns the entries to remove from a cache so that the rest takes at most `most`.
 * @param oldestFirst all entries, in the order in which they may be removed
 * @param most limit for the sum of sizes, in the unit of `size`
 */
export function evicted<T extends { size: number }>(oldestFirst: readonly T[], most: number): T[] {
  let total = sizeOf(oldestFirst)
  return oldestFirst.filter(({ size }) => {
    const isRemoved = total > most
    if (isRemoved) total -= size
    return isRemoved
  })
}

/** The sum of the entries' sizes. */
export const sizeOf = (entries: readonly { size: number }[]): number =>
  entries.reduce((sum, { size }) => sum + size, 0)
