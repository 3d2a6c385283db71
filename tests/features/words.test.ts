/** docs/words.md: one word for one thing, in every text of the catalogue and in the demo's own data. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blocksOf } from '../recipes/recipe.mjs'

interface Entry {
  term: string
  meaning: string
  /** What is not written: as it stands, or after `*` a regular expression. */
  forbidden: string[]
}

/** The rows of the table; a bar within a cell is written `\|`. */
function entriesOf(markdown: string): Entry[] {
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) => {
    const [term = '', meaning = '', words = ''] = row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|'))
    return { term, meaning, forbidden: words.split('、') }
  })
}

const patternOf = (forbidden: string) =>
  forbidden.startsWith('*')
    ? new RegExp(forbidden.slice(1), 'u')
    : new RegExp(forbidden.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'u')

/** Every text of the catalogue: the message where its id is only a key. */
const catalogueTexts = (po: string): string[] =>
  po
    .split('\n')
    .filter((line) => line.startsWith('msgstr "'))
    .map((line): string => JSON.parse(line.slice('msgstr '.length)))
    .filter((text) => text !== '')

const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u

/** The Japanese literals of a source, without its comments. */
const literalsOf = (source: string): string[] => {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  return [...code.matchAll(/'([^'\n]*)'|`([^`]*)`/g)]
    .map(([, single, template]) => single ?? template ?? '')
    .filter((text) => JAPANESE.test(text))
}

function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => literalsOf(readFileSync(join(folder, name), 'utf8')))
}

/** What a recipe puts into the product is in the catalogue once somebody has followed it. */
const recipes = ['field', 'resource'].flatMap((name) =>
  blocksOf(readFileSync(`docs/recipes/${name}.md`, 'utf8'))
    .filter(({ kind }) => kind !== 'commands')
    .flatMap(({ text }) => literalsOf(text)),
)

const glossary = entriesOf(readFileSync('docs/words.md', 'utf8'))
const sources = {
  catalogue: catalogueTexts(readFileSync('src/locales/ja.po', 'utf8')),
  'demo data': sourcesIn('src/demo-crm'),
  'code tables': ['schemas/codes.ts', 'tests/openapi/other-codes.ts'].flatMap((name) =>
    literalsOf(readFileSync(name, 'utf8')),
  ),
  recipes,
}

const offences = (texts: readonly string[]) =>
  glossary.flatMap(({ forbidden, term }) =>
    forbidden.flatMap((word) =>
      texts
        .filter((text) => patternOf(word).test(text))
        .map((text) => `「${text}」 says ${word}, not ${term}`),
    ),
  )

describe('[words] docs/words.md', () => {
  test('is a table whose every row has a term, a meaning and something that is not written', () => {
    expect(glossary.length).toBeGreaterThan(20)
    const incomplete = glossary.filter(
      ({ term, meaning, forbidden }) =>
        term === '' || meaning === '' || forbidden.some((word) => word.length < 2),
    )
    expect(incomplete).toEqual([])
    expect(new Set(glossary.map(({ term }) => term)).size).toBe(glossary.length)
  })

  test('no term is what another row, or its own, forbids', () => {
    expect(offences(glossary.map(({ term }) => term))).toEqual([])
  })

  test.each(Object.entries(sources))('%s keeps to it', (_, texts) => {
    expect(texts.length).toBeGreaterThan(20)
    expect(offences(texts)).toEqual([])
  })

  test.each(['速報を登録', '登録済み', '404 Not Found', 'ユーザ名', 'CRMに問い合わせ中'])(
    '%s would be found',
    (text) => expect(offences([text]).length).toBeGreaterThan(0),
  )
})
