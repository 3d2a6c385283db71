/** FNV-1a, 32 bits. It is the seed's only source of variation, so a day always has the same data. */
export function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  // A final mix, because adjacent days differ in one character only.
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b)
  return (h ^ (h >>> 13)) >>> 0
}

/** Picks an item, always the same for the same text. */
export function pick<T>(items: readonly T[], text: string): T {
  const item = items[hash(text) % items.length]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}
