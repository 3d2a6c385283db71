/**
 * CSS modules of what neither the first screens nor the rows that are kept for them show (decisions/speed): they are in
 * no sheet of the page. Each comes with the code that wants it, as a sheet that a script makes, which the policy lets
 * pass.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Plugin } from 'vite'

const LATER =
  /\/(board-skeleton|brief|camera-popup|choice|defs|entry|error-logs-screen|fact|goods|kept-drafts|links|long-text|marks-sheet|meter|mini|near-end|not-started|past|photo|queue|request-facts|sealed-aside|section|sheet|summary|support-screen|switch|thumbs|tick|times|viewer)\.module\.css$/
const MARK = '\0later-styles:'

/** As CSS modules name it everywhere else (vite.config.ts). */
export const scopedName = (name: string, file: string): string =>
  `${basename(file.split('?')[0] ?? '', '.module.css')}_${name}`

/** What a module's names are in the page. A name that is none costs a few bytes. */
export const scopedNames = (css: string, file: string): Record<string, string> =>
  Object.fromEntries(
    [...css.matchAll(/\.(-?[_a-z][\w-]*)/gi)].map(([, name = '']) => [name, scopedName(name, file)]),
  )

export const laterStyles: Plugin = {
  name: 'later-styles',
  apply: 'build',
  enforce: 'pre',
  async resolveId(source, importer) {
    const found = LATER.test(source) ? await this.resolve(source, importer, { skipSelf: true }) : null
    return found && `${MARK}${found.id.slice(0, -'.css'.length)}`
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
