/** No answer is deeper, longer or wider than anything can be, and what was left out is said (PL11). */
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import {
  ANSWER_LETTERS_MAX,
  ANSWER_MAX,
  ANSWER_ROWS_MAX,
  ANSWER_SIGNS_MAX,
  ANSWER_TEXT_MAX,
  NOTE_MAX,
} from '#schemas/limits.ts'
import { outcomeOf } from '#sync/transport/outcome.ts'
import { readPages } from '#sync/transport/read-pages.ts'
import { bounded } from '#sync/transport/bounded.ts'
import { firstRows } from '#sync/transport/first-rows.ts'
import { createHttp } from '#sync/transport/http.ts'
import type { Reader } from '#sync/transport/api.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** A CRM that always says this. */
function saying(body: string, headers: Record<string, string> = {}) {
  const told: string[] = []
  const http = createHttp({
    fetch: async () => new Response(body, { headers: { ...JSON_TYPE, ...headers } }),
    securityKey: 'k',
    leftOut: (path, what) => told.push(`${path}: ${what.join(', ')}`),
  })
  const read = async () => {
    const answer = await http({ method: 'GET', url: 'http://crm.test/x?code=secret' })
    if (answer.kind !== 'answer') throw new Error('an answer expected')
    return answer
  }
  return { read, told }
}

describe('[PL11] an answer is taken', () => {
  test('with its texts as long as any can be; where one was longer it ends so, and that is told without its words', async () => {
    const { read, told } = saying(
      JSON.stringify([{ id: 'a', note: '鍵は管理室。'.repeat(20_000), name: '現場' }]),
    )
    const [row] = (await read()).body as [{ note: string; name: string }]
    expect(row.note).toHaveLength(ANSWER_TEXT_MAX)
    expect(row.note.endsWith('鍵…')).toBe(true)
    expect(row.name).toBe('現場')
    expect(told).toEqual(["/x: 115001 of a text's 120000 characters"])
    expect(ANSWER_TEXT_MAX).toBeGreaterThan(NOTE_MAX)
  })

  test.each([
    ['あ', ANSWER_LETTERS_MAX],
    ['ｱ', ANSWER_LETTERS_MAX],
    ['。', ANSWER_SIGNS_MAX],
    ['!', ANSWER_SIGNS_MAX],
  ])('with no more of %s in a row than a browser lays out at once', (letter, most) => {
    expect(bounded(`鍵 ${letter.repeat(most)}`).leftOut).toEqual([])
    expect(bounded(`鍵 ${letter.repeat(most + 1)} 管理室`).body).toBe(`鍵 ${letter.repeat(most)}…`)
  })

  test('with a token or an address of any sort whole', () => {
    const token = `https://files.example/a?b=${'aB3/+='.repeat(700)}`
    expect(bounded(token)).toMatchObject({ body: token, leftOut: [] })
  })

  test('with a text whose last character has two halves whole', () => {
    const { body } = bounded('x'.repeat(ANSWER_TEXT_MAX - 2) + '😀'.repeat(10))
    // it throws at half a character
    expect(() => encodeURIComponent(String(body))).not.toThrow()
    expect(String(body).length).toBeLessThanOrEqual(ANSWER_TEXT_MAX)
  })

  test('as a list of a thousand rows, which then is not all of it: nothing counts as removed', async () => {
    const rows = Array.from({ length: 100_000 }, (_, id) => ({ id: String(id) }))
    const { read, told } = saying(JSON.stringify(rows))
    const parse = vi.spyOn(JSON, 'parse')
    const { body, total } = await read()
    expect(body).toEqual(rows.slice(0, ANSWER_ROWS_MAX))
    // no more is parsed than is taken: it would hold up the screen
    expect(Math.max(...parse.mock.calls.map(([text]) => text.length))).toBeLessThan(20_000)
    parse.mockRestore()
    expect(told).toEqual([`/x: what comes after ${ANSWER_ROWS_MAX} rows`])
    const api: Reader = { read: async () => ({ kind: 'accepted', status: 200, body, total }) }
    expect(await readPages(api, 'list', {}, null)).toMatchObject({ kind: 'rows', complete: false })
  })

  test('as no JSON where it is larger than any answer', async () => {
    const { read, told } = saying(JSON.stringify(['x'.repeat(ANSWER_MAX)]))
    const answer = await read()
    expect(answer).toMatchObject({ isJson: false, body: '…' })
    expect(told).toHaveLength(1)
    // nor is it an empty one, which would say that there is none
    for (const status of [200, 404])
      expect(outcomeOf({ ...answer, status }, 'read', 0)).toEqual({ kind: 'unknown', status })
  })

  test('as its first rows, whatever stands in them', () => {
    const inner = fc.array(
      fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom('"', '\\\\', '\\"],[', ',]')),
    )
    fc.assert(
      fc.property(inner, fc.integer({ min: 1, max: 12 }), (value, most) => {
        const text = JSON.stringify(value)
        expect(JSON.parse(firstRows(text, most, 0))).toEqual(JSON.parse(text).slice(0, most))
        expect(firstRows(text, most)).toBe(text)
      }),
    )
    const list = '{"list":[1,2,3]}'
    expect(firstRows(list, 1, 0)).toBe(list)
  })

  test('unchanged where it is like any other', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const { body, leftOut } = bounded(structuredClone(value))
        expect(body).toEqual(value)
        expect(leftOut).toEqual([])
      }),
    )
  })
})
