import { describe, expect, test } from 'vitest'
import { outcomeOf, strongTag, type Answer } from '#sync/transport/outcome.ts'
import { createApi, createOptionalHeader } from '#sync/scheduler/api.ts'

describe('[MG4] a tag that a PUT may name', () => {
  test.each(['"1"', '"33a64df5"', '"a,b"', '"W/1"', `"${'x'.repeat(256)}"`])('%s', (tag) =>
    expect(strongTag(tag)).toBe(tag),
  )
  test.each<[string, string | null | undefined]>([
    ['none', null],
    ['none said', undefined],
    ['weak', 'W/"1"'],
    ['without quotes', '1'],
    ['empty', '""'],
    ['any', '*'],
    ['two', '"1", "2"'],
    ['with a blank', '"a b"'],
    ['with a line', '"a\nb"'],
    ['beyond ASCII', '"版"'],
    ['too long', `"${'x'.repeat(257)}"`],
  ])('not %s', (_, tag) => expect(strongTag(tag)).toBeUndefined())
})

const answer = (status: number, etag: string | null = null, isJson = true): Answer => ({
  kind: 'answer',
  status,
  body: isJson ? {} : '<html>',
  isJson,
  total: null,
  retryAfter: null,
  etag,
})

describe('[MG4] what an answer says', () => {
  test('its tag, where it is strong', () => {
    expect(outcomeOf(answer(200, '"1"'), 'read', 0)).toMatchObject({ kind: 'accepted', etag: '"1"' })
    expect(outcomeOf(answer(200, 'W/"1"'), 'read', 0)).not.toHaveProperty('etag')
  })
  test.each([true, false])('412 is no refusal, JSON or not: %s', (isJson) => {
    for (const call of ['read', 'write'] as const)
      expect(outcomeOf(answer(412, null, isJson), call, 0)).toEqual({ kind: 'unknown', status: 412 })
  })
})

describe('[MG4] If-Match over the calls of a tab', () => {
  const [fine, none] = [true, false]
  /** Whether each call carries it; the calls end answered or not. */
  const told = (answered: readonly boolean[]) => {
    const header = createOptionalHeader()
    return answered.map((isAnswered) => {
      const isSent = header.isAllowed()
      header.ended(isSent, isAnswered)
      return isSent
    })
  }
  test.each<[string, boolean[], boolean[]]>([
    ['is there while calls are answered', [fine, fine, fine], [true, true, true]],
    ['is there after one without an answer', [none, fine, none, fine], [true, true, true, true]],
    [
      'is left out after two, and tried again',
      [none, none, fine, fine, fine],
      [true, true, false, true, true],
    ],
    [
      'is left out each second time where it stands in the way',
      [none, none, fine, none, fine],
      [true, true, false, true, false],
    ],
    ['is left out as long as nothing is answered', [none, none, none, none], [true, true, false, false]],
  ])('%s', (_, answered, wanted) => expect(told(answered)).toEqual(wanted))
})

describe('[MG4] what becomes of a PUT', () => {
  const statuses: (number | 'held' | 'lost')[] = []
  const sent: (string | undefined)[] = []
  /** An API whose CRM answers with these statuses, one after another. */
  const apiOf = (...next: typeof statuses) => {
    statuses.splice(0, Infinity, ...next)
    sent.length = 0
    return createApi({
      http: async ({ headers = {} }) => {
        sent.push(headers['If-Match'])
        const status = statuses.shift() ?? 204
        if (typeof status === 'number') return answer(status)
        return { kind: 'no-answer', sent: status === 'lost' }
      },
      scheduler: { read: async (_, run) => run() },
      tokens: { authorized: async (send) => send('t'), authorizedForFiles: async (send) => send('t') },
      rest: 'http://crm.test/rest',
      now: () => 0,
      begin: () => () => undefined,
    })
  }
  const put = (api: ReturnType<typeof apiOf>, ifMatch?: string) =>
    api.write({ method: 'PUT', path: 'a', body: {}, ...(ifMatch && { ifMatch }) })

  test('412 to a call that had it says so; to one that had not it is unknown', async () => {
    expect(await put(apiOf(412), '"1"')).toEqual({ kind: 'stale', status: 412 })
    expect(await put(apiOf(412))).toEqual({ kind: 'unknown', status: 412 })
    const api = apiOf('lost', 'lost', 412)
    for (let n = 0; n < 2; n += 1) await put(api, '"1"')
    expect(await put(api, '"1"')).toEqual({ kind: 'unknown', status: 412 })
  })

  test('no tag, no header; what never left says nothing, and any answer is one', async () => {
    const api = apiOf(204, 'lost', 'held', 'held', 500, 'lost', 204)
    await put(api)
    for (let n = 0; n < 6; n += 1) await put(api, '"1"')
    expect(sent).toEqual([undefined, '"1"', '"1"', '"1"', '"1"', '"1"', '"1"'])
  })
})
