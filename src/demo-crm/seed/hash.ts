/**
 * Hashes a text with FNV-1a (32 bits). All variety of the seed comes from this hash, so that a day always has the same
 * data.
 */
export function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  // The bits are mixed again, because the texts of adjacent days differ in only one character.
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b)
  return (h ^ (h >>> 13)) >>> 0
}

/** Picks an item, always the same one for a text. */
export function pick<T>(items: readonly T[], text: string): T {
  const item = items[hash(text) % items.length]
  if (item === undefined) throw new Error('nothing to pick from')
  return item
}
