/** FNV-1a, 32 bits: the seed's only source of variety, so that a day looks the same whenever one looks. */
export function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  // A last mixing, since neighbouring days differ in one character only.
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b)
  return (h ^ (h >>> 13)) >>> 0
}

/** One of the items, always the same for a text. */
export function pick<T>(items: readonly T[], text: string): T {
  const item = items[hash(text) % items.length]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}
