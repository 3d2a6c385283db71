/**
 * The end of `npm run i18n`: fails where a language lacks a text, or says it with other placeholders than the source, and
 * names each by its Japanese text. Texts that nobody uses any more have been removed by then (`lingui extract --clean`).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { formatter } from '@lingui/format-po'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'

const SOURCE = 'ja'
/** Lines of problems at most: a language that is begun has a thousand. */
const SHOWN = 40

/** Returns the placeholders of a compiled message, each once, in order. */
function placeholdersIn(tokens) {
  const found = tokens.flatMap((token) => {
    if (typeof token === 'string') return []
    const [name, , cases] = token
    const inner = typeof cases === 'object' && cases !== null ? Object.values(cases) : []
    return [name, ...inner.flatMap((each) => (Array.isArray(each) ? placeholdersIn(each) : []))]
  })
  return [...new Set(found)].toSorted((a, b) => (a < b ? -1 : 1))
}

/** Returns what is wrong with a translation; null if nothing is. */
export function problemOf(source, translation) {
  if (!translation) return 'has no translation'
  try {
    const [wanted, found] = [source, translation].map((text) =>
      placeholdersIn(compileMessageOrThrow(text)).join(', '),
    )
    if (wanted !== found) return `has the placeholders {${found}}, not {${wanted}}`
    // a reading belongs to the kanji right before it
    return /(?<![\p{Script=Han}々〆ヶ〇])《|《(?![^《》]+》)/u.test(translation)
      ? 'has a 《 without kanji or 》'
      : null
  } catch (error) {
    return `cannot be compiled: ${error.message}`
  }
}

/** @returns a line for each text of `folder` that cannot be shown in a language */
export async function problemsIn(folder) {
  const read = async (locale) =>
    formatter().parse(readFileSync(join(folder, `${locale}.po`), 'utf8'), { locale, sourceLocale: SOURCE })
  const source = Object.entries(await read(SOURCE))
  const locales = readdirSync(folder).map((name) => basename(name, '.po'))
  const problems = []
  for (const locale of locales.filter((each) => each !== SOURCE)) {
    const catalogue = await read(locale)
    for (const [id, { message, translation }] of source) {
      const text = translation || message || id
      const problem = problemOf(text, catalogue[id]?.translation)
      if (problem) problems.push(`src/locales/${locale}.po: 「${text}」 ${problem}`)
    }
  }
  return problems
}

if (process.argv[1] === import.meta.filename) {
  const problems = await problemsIn(resolve(import.meta.dirname, '../src/locales'))
  if (problems.length > 0) {
    console.error(problems.slice(0, SHOWN).join('\n'))
    console.error(`${problems.length} texts: write their translations (docs/CONTRIBUTING.md, 文言を足すには)`)
    // of the recipes, whose example nobody translates (tests/recipes/run.mjs)
    if (process.env.UNTRANSLATED !== 'allowed') process.exit(1)
  }
}
