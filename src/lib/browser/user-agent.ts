/** Reads the user agent: names for error reports, and faults of single browsers that no feature test finds. */

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
/** True if the photo picker hides the camera: Chromium on Android 14 shows it if other types are accepted too. */
export const hidesCamera = (agent: string): boolean => /Android/.test(agent) && !/Firefox/.test(agent)
/** True for an app on an iPhone's home screen, where a download opens a view that the user cannot leave. */
export const cannotDownload = (browser: object): boolean => Reflect.get(browser, 'standalone') === true
/** True for the iPhone, whose telephone keypad has no hyphen. The iPad's keypad has one. */
export const hasNoHyphen = (agent: string): boolean => /iPhone|iPod/.test(agent)
