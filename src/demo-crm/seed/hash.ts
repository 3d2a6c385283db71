/** FNV-1a (32 bits) in place of random numbers, so that a day always has the same data. */
export function hash(text: string): number {
  let h = 0x811c9dc5
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  // The bits are mixed once more, because texts of adjacent days differ in one character and would get similar hashes.
  h = Math.imul(h ^ (h >>> 16), 0x45d9f3b)
  return (h ^ (h >>> 13)) >>> 0
}

/** Returns an item by the text's hash, so that the same text always gives the same item. */
export const pick = <T>(items: readonly T[], text: string): T => items[hash(text) % items.length]!
