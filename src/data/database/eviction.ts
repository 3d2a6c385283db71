/** The entries to remove, so that the others together have at most the size `limit`. @param oldestFirst in order */
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
