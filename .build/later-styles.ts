/**
 * Loads the CSS modules in `LATER` together with the code that uses them, because the first screens do not need them
 * (decisions/speed). A script makes the style sheet, as the content policy requires.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Plugin } from 'vite'

/** Names of the style sheets, without `.module.css`. */
const LATER = new Set(
  `
  board-skeleton brief camera-popup choice defs entry fact goods links
  locked-data long-text marks-sheet meter mini near-end not-started past photo queue report-sheet request-facts
  section sheet sheet-form summary support-screen switch thumbs tick times unsaved-drafts viewer
  `.match(/\S+/g),
)
const MARK = '\0later-styles:'

/** Name of a CSS module's class in the page. vite.config.ts uses the same function. */
export const scopedName = (name: string, file: string): string =>
  `${basename(file.split('?')[0] ?? '', '.module.css')}_${name}`

/** Names of a CSS module's classes in the page. Text that only looks like a class name costs a few bytes. */
export const scopedNames = (css: string, file: string): Record<string, string> =>
  Object.fromEntries(
    [...css.matchAll(/\.(-?[_a-z][\w-]*)/gi)].map(([, name = '']) => [name, scopedName(name, file)]),
  )

const nameOf = (source: string): string => /([\w-]+)\.module\.css$/.exec(source)?.[1] ?? ''

export const laterStyles: Plugin = {
  name: 'later-styles',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer) {
    const found = LATER.has(nameOf(source)) ? await this.resolve(source, importer, { skipSelf: true }) : null
    return found && `${MARK}${found.id.slice(0, -'.css'.length)}`
  },
  // The build fails if a name in `LATER` is unknown, because a renamed style sheet would silently load at the start
  // again.
  buildEnd(error) {
    if (error) return
    const loaded = new Set(
      [...this.getModuleIds()].filter((id) => id.startsWith(MARK)).map((id) => basename(id)),
    )
    const unknown = [...LATER].filter((name) => !loaded.has(`${name}.module`))
    if (unknown.length > 0) this.error(`later-styles: no such style sheet: ${unknown.join(', ')}`)
  },
  load(id) {
    if (!id.startsWith(MARK)) return null
    const file = `${id.slice(MARK.length)}.css`
    this.addWatchFile(file)
    const names = scopedNames(readFileSync(file, 'utf8'), file)
    return `import text from ${JSON.stringify(`${file}?inline`)}
const sheet = new CSSStyleSheet()
sheet.replaceSync(text)
document.adoptedStyleSheets.push(sheet)
export default ${JSON.stringify(names)}`
  },
}
