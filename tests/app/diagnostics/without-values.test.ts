import fc from 'fast-check'
import { type } from 'arktype'
import { expect, test } from 'vitest'
import { withoutValues } from '#app/diagnostics/error-log.ts'

const SECRET = '秘密9'
/** A text that has it somewhere, beside whatever else people and machines write. */
const secret = fc
  .tuple(fc.string({ unit: 'binary', maxLength: 12 }), fc.string({ maxLength: 12 }))
  .map(([before, after]) => `${before.replace(/[\r\n\u2028\u2029]/g, '')}${SECRET}${after}`)

const thrown = (run: () => unknown) => {
  try {
    run()
  } catch (error) {
    return String(error)
  }
  return ''
}

test('[EX7] whatever a JSON holds, nothing of it is in what is said of it', () => {
  fc.assert(
    fc.property(secret, (text) => {
      expect(withoutValues(thrown(() => JSON.parse(text)))).not.toContain(SECRET)
      expect(withoutValues(thrown(() => JSON.parse(`{"a":"${text}`)))).not.toContain(SECRET)
    }),
    { numRuns: 2_000 },
  )
})

test('[EX7] nor what did not fit a definition', () => {
  const row = type({ name: "'a' | 'b'", at: 'string.date.iso', 'tel?': 'number', 'more?': 'string[]' })
  fc.assert(
    fc.property(secret, fc.jsonValue(), (text, more) => {
      const read = row({ name: text, at: text, tel: text, more: [more, { [text]: text }] })
      const said = read instanceof type.errors ? read.summary : ''
      expect(withoutValues(said)).not.toContain(SECRET)
    }),
    { numRuns: 2_000 },
  )
})

test('[EX7] nor the values of an address; its path and its names stay', () => {
  fc.assert(
    fc.property(secret, (text) => {
      const query = new URLSearchParams({ name: text, id: '1' }).toString()
      const said = withoutValues(`500 https://crm.test/a/b?${query}`)
      expect(said).toBe('500 https://crm.test/a/b?name=…&id=…')
    }),
  )
})

test.each([
  ['TypeError: Cannot read properties of undefined (reading map)', null],
  ['設定 VITE_API_ENDPOINT がありません', null],
  ["SyntaxError: Unexpected token '<', ...", 'SyntaxError: Unexpected token …'],
  ['    at start (https://app.test/assets/a.js:1:2)', null],
])('what is no value stays: %s', (text, wanted) => {
  expect(withoutValues(text)).toBe(wanted ?? text)
})
