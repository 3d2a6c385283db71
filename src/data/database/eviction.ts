/**
 * Returns the entries to remove from a cache so that the other entries together have at most the size `limit`.
 * @param oldestFirst all entries, in the order in which they may be removed
 * @param limit maximum sum, in the unit of `size`
 */
export function evicted<T extends { size: number }>(oldestFirst: readonly T[], limit: number): T[] {
  let total = sizeOf(oldestFirst)
  return oldestFirst.filter(({ size }) => {
    const isRemoved = total > limit
    if (isRemoved) total -= size
    return isRemoved
  })
}

export const sizeOf = (entries: readonly { size: number }[]): number =>
  entries.reduce((sum, { size }) => sum + size, 0)
