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
import { readPages } from '#sync/scheduler/read-pages.ts'
import { cutPosition, limitedSize, parseJson } from '#sync/transport/parse-json.ts'
import { createHttp } from '#sync/transport/http.ts'
import type { Reader } from '#sync/scheduler/api.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text)
const parse = (text: string) => parseJson(bytesOf(text))
const JSON_TYPE = { 'content-type': 'application/json' }

/** A CRM that always says this. */
function saying(body: string, headers: Record<string, string> = {}) {
  const told: string[] = []
  const http = createHttp({
    fetch: async () => new Response(body, { headers: { ...JSON_TYPE, ...headers } }),
    securityKey: 'k',
    onOmitted: (path, what) => told.push(`${path}: ${what.join(', ')}`),
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
    expect(limitedSize(`鍵 ${letter.repeat(most)}`).omitted).toEqual([])
    expect(limitedSize(`鍵 ${letter.repeat(most + 1)} 管理室`).body).toBe(`鍵 ${letter.repeat(most)}…`)
  })

  test('with a token or an address of any sort whole', () => {
    const token = `https://files.example/a?b=${'aB3/+='.repeat(700)}`
    expect(limitedSize(token)).toMatchObject({ body: token, omitted: [] })
  })

  test('with a text whose last character has two halves whole', () => {
    const { body } = limitedSize('x'.repeat(ANSWER_TEXT_MAX - 2) + '😀'.repeat(10))
    // it throws at half a character
    expect(() => encodeURIComponent(String(body))).not.toThrow()
    expect(String(body).length).toBeLessThanOrEqual(ANSWER_TEXT_MAX)
  })

  test('as a list of a thousand rows, which then is not all of it: nothing counts as removed', async () => {
    const rows = Array.from({ length: 100_000 }, (_, id) => ({ id: String(id) }))
    const { read, told } = saying(JSON.stringify(rows))
    const parsing = vi.spyOn(JSON, 'parse')
    const { body, total } = await read()
    expect(body).toEqual(rows.slice(0, ANSWER_ROWS_MAX))
    // no more is parsed than is taken: it would hold up the screen
    expect(Math.max(...parsing.mock.calls.map(([text]) => text.length))).toBeLessThan(20_000)
    parsing.mockRestore()
    expect(told).toEqual([`/x: what comes after ${ANSWER_ROWS_MAX} rows`])
    const api: Reader = { read: async () => ({ kind: 'accepted', status: 200, body, total }) }
    expect(await readPages(api, 'list', {}, null)).toMatchObject({ kind: 'rows', complete: false })
  })

  test('with no more of any list in it than of itself, however short its rows', () => {
    const long = () => Array.from({ length: ANSWER_ROWS_MAX + 1 }, () => 0)
    const { body, omitted } = limitedSize([{ list: long() }])
    expect(body).toEqual([{ list: long().slice(1) }])
    expect(omitted).toEqual([`what comes after ${ANSWER_ROWS_MAX} rows`])
    expect(limitedSize(long())).toMatchObject({ body: long().slice(1), rows: ANSWER_ROWS_MAX + 1 })
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

  test('row by row where it is long, whatever stands in them', async () => {
    const inner = fc.array(
      fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom('"', '\\', '\\"],[', ',]')),
    )
    const blank = ' '.repeat(100_001)
    await fc.assert(
      fc.asyncProperty(inner, async (value) => {
        const text = JSON.stringify(value)
        expect(await parse(`${blank}${text}`)).toMatchObject({ body: JSON.parse(text), omitted: [] })
        expect(await parse(`${blank}${text}${blank}`)).toEqual(await parse(text))
      }),
    )
    for (const broken of ['[1,2', '[1,]', '[,1]', '[1 2]', '[1]x', '[1}', '[', ''])
      expect([broken, await parse(blank + broken)]).toEqual([broken, null])
    expect(await parse(`${blank}[ ]`)).toMatchObject({ body: [], omitted: [] })
  })

  test('no heavier than the device bears: of a list as many rows as that, a row that is too heavy alone left out', async () => {
    const text = '鍵は管理室。'.repeat(800)
    const rows = Array.from({ length: 900 }, (_, id) => ({ id: String(id), text }))
    const taken = await parse(JSON.stringify(rows))
    const { length } = (taken?.body ?? []) as unknown[]
    expect(length).toBeGreaterThan(250)
    expect(length).toBeLessThan(350)
    expect(taken).toMatchObject({ rows: length + 1, omitted: [`what comes after ${length} rows`] })

    const heavy = Array.from({ length: 400_000 }, () => ({}))
    expect(await parse(JSON.stringify([{ id: 'a' }, heavy, { id: 'b' }]))).toMatchObject({
      body: [{ id: 'a' }, null, { id: 'b' }],
      omitted: ['a row that is too large'],
    })
    // a text of ten megabytes weighs what is taken of it
    const long = JSON.stringify([{ id: 'a', text: '鍵。'.repeat(3_000_000) }, { id: 'b' }])
    expect((await parse(long))?.body).toMatchObject([{ id: 'a' }, { id: 'b' }])

    const { read, told } = saying(JSON.stringify({ a: Array.from({ length: 1_400_000 }, () => ({})) }))
    expect(await read()).toMatchObject({ isJson: false, body: '…' })
    expect(told).toEqual(['/x: all of its 4200007 bytes'])
  })

  test('no further than is taken: the rest does not come to the device', async () => {
    let sent = 0
    const chunk = new Uint8Array(1_000_000)
    const endless = new ReadableStream({
      pull(controller) {
        sent += chunk.length
        controller.enqueue(chunk)
      },
    })
    const http = createHttp({
      fetch: async () => new Response(endless, { headers: JSON_TYPE }),
      securityKey: 'k',
    })
    expect(await http({ method: 'GET', url: 'http://crm.test/x' })).toMatchObject({
      isJson: false,
      body: '…',
    })
    expect(sent).toBeLessThan(2 * ANSWER_MAX)
  })

  test('in slices: while the largest is read, nothing holds the device up for long', async () => {
    const long = Array.from({ length: 900 }, (_, id) => ({
      id: String(id),
      text: '鍵は管理室。'.repeat(800),
    }))
    const text = JSON.stringify(long)
    let turns = 0
    let isOver = false
    const count = () => {
      turns += 1
      if (!isOver) setTimeout(count)
    }
    setTimeout(count)
    await parse(text)
    isOver = true
    expect(turns).toBeGreaterThan(1)
  })

  test('cut where a run of letters or signs ends that nothing can break, as each character says', () => {
    const text = fc
      .array(
        fc.tuple(
          fc.constantFrom('あ', 'ｱ', '。', '!', 'a', ' ', '\n', '😀', '𠮷', '\uD83D'),
          fc.integer({ min: 1, max: 1_300 }),
        ),
        { maxLength: 8 },
      )
      .map((runs) => runs.map(([letter, times]) => letter.repeat(times)).join(''))
    const most = { signs: ANSWER_SIGNS_MAX, letters: ANSWER_LETTERS_MAX, breaks: Infinity }
    const kindOf = (character: string) =>
      /[\p{P}\p{S}]/u.test(character) ? 'signs' : /[\s\p{ASCII}]/u.test(character) ? 'breaks' : 'letters'
    const byCharacter = (value: string) => {
      const end = value.length > ANSWER_TEXT_MAX ? ANSWER_TEXT_MAX - 1 : value.length
      let [begin, at, run] = [0, 0, '']
      for (const character of value.slice(0, end)) {
        const kind = kindOf(character)
        if (kind !== run) [run, begin] = [kind, at]
        at += character.length
        if (at - begin > most[kind]) return begin + most[kind]
      }
      return end
    }
    fc.assert(
      fc.property(text, (value) => {
        // not between the halves of one character
        expect([0, 1]).toContain(byCharacter(value) - cutPosition(value))
      }),
      { numRuns: 500 },
    )
  })

  test('unchanged where it is like any other', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const { body, omitted } = limitedSize(structuredClone(value))
        expect(body).toEqual(value)
        expect(omitted).toEqual([])
      }),
    )
  })
})
