/**
 * A short digest that shows whether a JSON value has changed. Not for security (cyrb53: 53 bits, plus the length).
 */
export function digest(value: unknown): string {
  const text = JSON.stringify(value)
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return `${(4294967296 * (2097151 & low) + (high >>> 0)).toString(36)}.${text.length.toString(36)}`
}
