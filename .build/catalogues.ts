/**
 * Turns each catalogue `src/locales/<language>.po` into a module that the app loads when the user chooses the
 * language (decisions/screens). Lingui's ids are hashes, which do not compress and would be a third of a catalogue.
 * So the number of a text in ja.po replaces its id, in catalogues and in the modules that use the text.
 */
import { readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { formatter } from '@lingui/format-po'
import { generateMessageId } from '@lingui/message-utils/generateMessageId'
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'
import { labelsIn } from './code-labels.ts'

const LOCALES = resolve(import.meta.dirname, '../src/locales')
const CODES = resolve(import.meta.dirname, '../schemas/codes.ts')

/** Kanji and their reading as translators write them: 安全《あんぜん》. */
const RUBY = /([\p{Script=Han}々〆ヶ〇]+)《([^》]+)》/gu

/**
 * Replaces 《》 by Unicode's annotation marks (UAX 23), because texts of the CRM may contain 《. `src/ui/language/`
 * draws the readings.
 */
const withMarks = (text: string) => text.replaceAll(RUBY, '\uFFF9$1\uFFFA$2\uFFFB')

/** All texts of the demo contain this word. A production build leaves them out (`npm run size`). */
const DEMO = 'デモ'

async function entriesOf(path: string) {
  const locale = basename(path, '.po')
  return Object.entries(
    await formatter().parse(readFileSync(path, 'utf8'), { locale, sourceLocale: 'ja', filename: path }),
  )
}

/** Numbers the texts of ja.po, by lingui's ids. A text with an id of its own (`ec00001`) keeps the id. */
export async function textNumbers(): Promise<ReadonlyMap<string, string>> {
  const entries = await entriesOf(resolve(LOCALES, 'ja.po'))
  const hashed = entries.filter(
    ([id, { message = '', context }]) => id === generateMessageId(message, context),
  )
  return new Map(hashed.map(([id], at) => [id, at.toString(36)]))
}

/** Compiles a text. Without placeholders the text stays a string, which is shorter. */
function compiled(text: string) {
  const parts = compileMessageOrThrow(withMarks(text))
  return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : parts
}

/** The module of a catalogue. A missing translation is null, and the app then shows the Japanese text. */
async function codeOf(path: string, numbers: ReadonlyMap<string, string>, isDemo: boolean): Promise<string> {
  const texts = new Map(
    (await entriesOf(path)).flatMap(([id, { translation, message = '' }]) =>
      translation && (isDemo || !message.includes(DEMO)) ? [[id, compiled(translation)]] : [],
    ),
  )
  const ids = [...numbers.keys()]
  const numbered = ids.map((id) => texts.get(id) ?? null)
  const named = Object.fromEntries([...texts].filter(([id]) => !numbers.has(id)))
  const labels = labelsIn(readFileSync(CODES, 'utf8')).map((label) => [
    label,
    ids.indexOf(generateMessageId(label)),
  ])
  return `export default ${JSON.stringify({ numbered, named, labels: Object.fromEntries(labels) })}`
}

export function catalogues(numbers: ReadonlyMap<string, string>): Plugin {
  let isDemo = true
  return {
    name: 'catalogues',
    configResolved({ mode }) {
      isDemo = mode !== 'production'
    },
    load: {
      filter: { id: /\/src\/locales\/[\w-]+\.po$/ },
      handler: async (id) => ({ code: await codeOf(id, numbers, isDemo), moduleType: 'js' }),
    },
  }
}
