/** The table of what lies in clear (docs/security.md) is what the code leaves in clear; `UPDATE=1` writes it. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { rxSchemas, type CollectionName } from '#schemas/collections.ts'
import { clearFacts } from '#data/seal/clear-facts.ts'
import { clearFields } from '#data/storage/clear-fields.ts'

const PATH = join(resolve(import.meta.dirname, '../..'), 'docs/security.md')
const [START, END] = ['<!-- clear fields -->', '<!-- /clear fields -->']

/** A row with all fields, lists with one entry. */
function factsOf(collection: CollectionName): string[] {
  const names = Object.keys(rxSchemas[collection].properties)
  const row = Object.fromEntries(names.map((name) => [name, /^(?:changes|photos)$/.test(name) ? [{}] : '']))
  return Object.entries(clearFacts(collection, row)).map(([name, value]) =>
    Array.isArray(value) ? `${name}（${Object.keys(Object(value[0])).join('、')} だけ）` : name,
  )
}

function tableOf(): string {
  const rows = (Object.keys(rxSchemas) as CollectionName[]).map((name) => {
    const { primaryKey, indexes } = rxSchemas[name]
    const clear = [...clearFields(primaryKey, indexes)].filter((field) => !field.startsWith('_'))
    const fields = [...new Set([...clear, ...factsOf(name)])]
    return `| \`${name}\` | ${fields.join('、')} |`
  })
  return ['', '', '| コレクション | そのまま置く項目 |', '|---|---|', ...rows, '', ''].join('\n')
}

test('docs/security.md lists the fields that lie in clear', () => {
  const text = readFileSync(PATH, 'utf8')
  const [before = '', rest = ''] = text.split(START)
  const [table, after = ''] = rest.split(END)
  if (process.env['UPDATE']) writeFileSync(PATH, `${before}${START}${tableOf().slice(0)}${END}${after}`)
  else expect(table).toBe(tableOf())
})
