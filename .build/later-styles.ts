/**
 * CSS modules of what neither the first screens nor the rows that are kept for them show (decisions/speed): they are in
 * no sheet of the page. Each comes with the code that wants it, as a sheet that a script makes, which the policy lets
 * pass.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Plugin } from 'vite'

const LATER = new Set(
  `
  board-skeleton brief camera-popup choice defs entry error-logs-screen fact goods links
  locked-data long-text marks-sheet meter mini near-end not-started past photo queue report-sheet request-facts
  section sheet summary support-screen switch thumbs tick times unsaved-drafts viewer
  `.match(/\S+/g),
)
const MARK = '\0later-styles:'

/** As CSS modules name it everywhere else (vite.config.ts). */
export const scopedName = (name: string, file: string): string =>
  `${basename(file.split('?')[0] ?? '', '.module.css')}_${name}`

/** What a module's names are in the page. A name that is none costs a few bytes. */
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
  // A renamed style sheet would return to the page unnoticed.
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
