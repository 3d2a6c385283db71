/** [decision 0116] The names of a schema have the order that RxDB gives them, without the collator. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import schemas from '#schemas/rx-schemas.json'
import { keyOrder } from '#lib/key-order.ts'

const names = fc.stringMatching(/^[A-Ca-c0-2_]{0,5}$/)
const collated = (a: string, b: string) => Math.sign(a.localeCompare(b, 'ja'))

function namesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
}

describe('[0116] the order of names', () => {
  test('is the collator’s for any ASCII names', () =>
    fc.assert(
      fc.property(names, names, (a, b) => Math.sign(keyOrder(a, b)) === collated(a, b)),
      {
        numRuns: 3_000,
      },
    ))

  test('is the collator’s for every two names in the schemas, and RxDB’s own: another order is another hash, and no store opens', () => {
    const all = [...new Set([...namesIn(schemas), '_deleted', '_meta', '_rev', '_attachments', 'lwt'])]
    expect(all.length).toBeGreaterThan(100)
    const wrong = all.flatMap((a) => all.filter((b) => Math.sign(keyOrder(a, b)) !== collated(a, b)))
    expect(wrong).toEqual([])
  })

  test.each([
    ['日本', '漢字'],
    ['a-b', 'ab'],
    ['é', 'f'],
  ])('leaves %s and %s to the collator', (a, b) => {
    expect(keyOrder(a, b)).toBe(a.localeCompare(b))
    expect(keyOrder(b, a)).toBe(b.localeCompare(a))
  })
})
