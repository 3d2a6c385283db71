const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const
const STEP = 1024

/** Example: 18.4MB */
export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log(bytes) / Math.log(STEP)))
  const amount = bytes / STEP ** power
  return `${power === 0 ? amount : amount.toFixed(1)}${UNITS[power] ?? ''}`
}
