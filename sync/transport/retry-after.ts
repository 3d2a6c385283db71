/**
 * Parses `Retry-After`.
 * @param header seconds or a date
 * @param now epoch ms
 * @returns milliseconds from now; 0 if absent or unreadable
 */
export function retryAfterMs(header: string | null, now: number): number {
  if (!header) return 0
  const seconds = Number(header)
  const ms = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000
  return Number.isNaN(ms) ? 0 : Math.max(0, ms)
}
