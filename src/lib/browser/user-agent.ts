/** Reads browser and system from the user agent, for error reports only. */

const BROWSERS: readonly [name: string, version: RegExp][] = [
  ['Edge', /Edg(?:A|iOS)?\/([\d.]+)/],
  ['Samsung Internet', /SamsungBrowser\/([\d.]+)/],
  ['Opera', /OPR\/([\d.]+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/([\d.]+)/],
  ['Chrome', /(?:Chrome|CriOS)\/([\d.]+)/],
  ['Safari', /Version\/([\d.]+).*Safari/],
]

const SYSTEMS: readonly [name: string, version: RegExp][] = [
  ['iOS', /(?:iPhone OS|CPU OS) ([\d_]+)/],
  ['Android', /Android ([\d.]+)/],
  ['Windows', /Windows NT ([\d.]+)/],
  ['ChromeOS', /CrOS \S+ ([\d.]+)/],
  ['macOS', /Mac OS X ([\d_.]+)/],
  ['Linux', /Linux()/],
]

function named(agent: string, table: typeof BROWSERS): string {
  for (const [name, pattern] of table) {
    const found = pattern.exec(agent)
    if (found) return `${name} ${found[1]?.replaceAll('_', '.') ?? ''}`.trim()
  }
  return 'unknown'
}

/** Example: `Chrome 153.0.0.0` */
export const browserOf = (agent: string): string => named(agent, BROWSERS)

/** Example: `iOS 18.5` */
export const systemOf = (agent: string): string => named(agent, SYSTEMS)
