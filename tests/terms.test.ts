/**
 * docs/terms.md: a word of the table is said in one way in each language. The longest words first: what they take of a text is
 * not searched for shorter ones, so 退館報告 says nothing of 退館.
 */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatter } from '@lingui/format-po'

const LANGUAGES = ['ja-x-easy', 'en', 'vi', 'id'] as const

const page = readFileSync('docs/terms.md', 'utf8')

/** Rows of the table after a heading, without its head. */
function rowsAfter(heading: string): string[][] {
  const [, rest = ''] = page.split(`\n## ${heading}\n`)
  const [section = ''] = rest.split('\n## ')
  return section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    )
}

const terms = rowsAfter('言葉').map(([japanese = '', ...forms]) => ({
  japanese,
  forms: forms.slice(0, LANGUAGES.length).map((cell) => cell.split(' / ').map((form) => form.toLowerCase())),
}))

const exceptions = new Set(rowsAfter('例外').map(([text, term, language]) => `${language} ${term} ${text}`))

async function catalogue(locale: string) {
  const read = formatter().parse(readFileSync(`src/locales/${locale}.po`, 'utf8'), {
    locale,
    sourceLocale: 'ja',
    filename: `${locale}.po`,
  })
  return Object.entries(await read)
}

const longestFirst = terms.toSorted((a, b) => b.japanese.length - a.japanese.length)

/** The words of the table in a text, without placeholders. */
function termsIn(text: string) {
  let rest = text.replaceAll(/\{\w+\}/g, ' ')
  return longestFirst.filter(({ japanese }) => {
    const isIn = rest.includes(japanese)
    rest = rest.replaceAll(japanese, ' ')
    return isIn
  })
}

test('the table has each word once, with a form in every language', () => {
  expect(terms.length).toBeGreaterThan(100)
  expect(new Set(terms.map(({ japanese }) => japanese)).size).toBe(terms.length)
  expect(terms.filter(({ forms }) => forms.length < 4 || forms.some((each) => each.includes('')))).toEqual([])
})

test.for(LANGUAGES.map((language, at) => ({ language, at })))(
  '$language says each word of the table with one of its forms',
  async ({ language, at }) => {
    const texts = new Map(
      (await catalogue('ja')).map(([id, { translation, message }]) => [id, translation || message || id]),
    )
    const offences = (await catalogue(language)).flatMap(([id, { translation }]) => {
      const text = texts.get(id) ?? ''
      return termsIn(text)
        .filter(({ japanese }) => !exceptions.has(`${language} ${japanese} ${text}`))
        .filter(({ forms }) => !forms[at]?.some((form) => translation.toLowerCase().includes(form)))
        .map(({ japanese }) => `「${text}」 → 「${translation}」 lacks ${japanese}`)
    })
    expect(offences).toEqual([])
  },
)
