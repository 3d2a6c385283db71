import { describe, expect, test } from 'vitest'
import { NOT_SENT, outcomeOf, UNAUTHORIZED, type Answer } from '#sync/transport/outcome.ts'

const NOW = Date.parse('2026-11-20T01:00:00Z')
const BODY = { message: 'ec00030' }
type Given = Extract<Answer, { kind: 'answer' }>
const answer = (status: number, change: Partial<Given> = {}): Answer => ({
  kind: 'answer',
  status,
  body: BODY,
  isJson: true,
  total: null,
  retryAfter: null,
  ...change,
})
const calls = ['read', 'write'] as const

describe('[OC1–OC5] the same answer means the same for a read and a write', () => {
  const table: [number, string][] = [
    ...([200, 201, 204, 206] as const).map((status): [number, string] => [status, 'accepted']),
    ...([202, 400, 402, 403, 405, 409, 410, 413, 415, 422, 431] as const).map((status): [number, string] => [
      status,
      'refused',
    ]),
    [404, 'missing'],
    [401, 'unauthorized'],
    [498, 'unauthorized'],
    [429, 'throttled'],
    [503, 'throttled'],
    ...([301, 302, 303, 304, 307, 308, 408, 500, 501, 502, 504, 507, 511, 520, 599] as const).map(
      (status): [number, string] => [status, 'unknown'],
    ),
  ]
  test.each(table)('%d is %s', (status, kind) => {
    for (const call of calls) expect(outcomeOf(answer(status), call, NOW)).toMatchObject({ kind, status })
  })
})

describe('no answer', () => {
  test.each([
    ['write', true, { kind: 'unknown', status: 0 }],
    ['write', false, { kind: 'unreachable' }],
    ['read', true, { kind: 'unreachable' }],
    ['read', false, { kind: 'unreachable' }],
  ] as const)('[OC3][OC4] to a %s that was sent (%s)', (call, sent, wanted) => {
    expect(outcomeOf({ kind: 'no-answer', sent }, call, NOW)).toEqual(wanted)
  })
})

describe('[OC7] a page that is not the CRM’s JSON refuses nothing', () => {
  const page = { body: '<!doctype html><title>Forbidden</title>', isJson: false }
  test.each([202, 400, 403, 404, 405, 409, 422])('%d with a page', (status) => {
    for (const call of calls)
      expect(outcomeOf(answer(status, page), call, NOW)).toEqual({ kind: 'unknown', status })
  })
  test.each([202, 400, 403, 409, 422])('%d with nothing', (status) => {
    const empty = answer(status, { body: '', isJson: false })
    for (const call of calls) expect(outcomeOf(empty, call, NOW)).toEqual({ kind: 'unknown', status })
  })
  test('404 with nothing: the contract leaves its body open', () => {
    for (const body of ['', new ArrayBuffer(0)])
      expect(outcomeOf(answer(404, { body, isJson: false }), 'read', NOW).kind).toBe('missing')
  })
  test('413 is right about what was sent, whoever says so', () => {
    expect(outcomeOf(answer(413, page), 'write', NOW)).toMatchObject({ kind: 'refused', status: 413 })
  })
})

describe('[OC3] somebody else’s page says nothing of the CRM', () => {
  const portal = { body: '<!doctype html><title>Wi-Fi</title>', isJson: false }
  test.each([200, 201, 203])('%d with a page', (status) => {
    for (const call of calls)
      expect(outcomeOf(answer(status, portal), call, NOW)).toEqual({ kind: 'unknown', status })
  })
  test('200 with nothing', () => {
    expect(outcomeOf(answer(200, { body: '', isJson: false }), 'write', NOW).kind).toBe('unknown')
  })
  test('204 has no body, and is an answer', () => {
    const wanted = { kind: 'accepted', status: 204, body: null, total: null }
    expect(outcomeOf(answer(204, { body: '', isJson: false }), 'write', NOW)).toEqual(wanted)
  })
})

test('[OC2] a refusal says its reasons, never judged by their text', () => {
  for (const status of [202, 400, 404, 422])
    expect(outcomeOf(answer(status), 'write', NOW)).toMatchObject({ reasons: ['ec00030'] })
  expect(outcomeOf(answer(400, { body: {} }), 'write', NOW)).toEqual({
    kind: 'refused',
    status: 400,
    reasons: [],
  })
  expect(outcomeOf(answer(200, { body: { error: 'Network Error' } }), 'read', NOW).kind).toBe('accepted')
})

test('[PL1] a page of rows keeps its total', () => {
  const wanted = { kind: 'accepted', status: 200, body: [], total: 118 }
  expect(outcomeOf(answer(200, { body: [], total: 118 }), 'read', NOW)).toEqual(wanted)
})

describe('[OC4] Retry-After', () => {
  test.each([
    ['in seconds', '3', 3_000],
    ['in parts of a second', '0.5', 500],
    ['as a date', 'Fri, 20 Nov 2026 01:00:07 GMT', 7_000],
    ['as a date that is past', 'Fri, 20 Nov 2026 00:59:00 GMT', 0],
    ['negative', '-5', 0],
    ['of nonsense', 'soon', 0],
    ['empty', '', 0],
    ['not there', null, 0],
  ])('%s', (_, retryAfter, retryAfterMs) => {
    for (const status of [429, 503])
      expect(outcomeOf(answer(status, { retryAfter }), 'write', NOW)).toEqual({
        kind: 'throttled',
        status,
        retryAfterMs,
      })
  })
})

describe('the edges of the table', () => {
  test.each([100, 199, 300])('[OC3] %d in JSON is no success', (status) => {
    for (const call of calls)
      expect(outcomeOf(answer(status), call, NOW)).toEqual({ kind: 'unknown', status })
  })
  test('[MG4] 412 refuses no content', () => {
    for (const call of calls)
      expect(outcomeOf(answer(412), call, NOW)).toEqual({ kind: 'unknown', status: 412 })
  })
  test('[OC7] 404 with a body that is no JSON is a page, whatever it is read as', () => {
    const page = new TextEncoder().encode('<html>').buffer
    for (const body of [page, {}])
      expect(outcomeOf(answer(404, { body, isJson: false }), 'read', NOW).kind).toBe('unknown')
    expect(outcomeOf(answer(404, { body: null, isJson: false }), 'read', NOW).kind).toBe('missing')
  })
  test('[OC10] what was held says so, and nothing else does', () => {
    const none = { kind: 'no-answer', sent: false } as const
    expect(outcomeOf({ ...none, held: true }, 'write', NOW)).toEqual({ kind: 'unreachable', held: true })
    expect(outcomeOf({ ...none, held: false }, 'write', NOW)).toStrictEqual({ kind: 'unreachable' })
    expect(outcomeOf(none, 'read', NOW)).toStrictEqual({ kind: 'unreachable' })
  })
  test('[OC1a][OC5] what is answered for a call that was not made says so, of a read as of a write', () => {
    for (const call of ['read', 'write'] as const) {
      expect(outcomeOf(NOT_SENT, call, NOW)).toEqual({ kind: 'unreachable', held: true })
      expect(outcomeOf(UNAUTHORIZED, call, NOW)).toEqual({ kind: 'unauthorized', status: 401 })
    }
  })
  test.each([
    ['strong', '"abc"', { etag: '"abc"' }],
    ['weak', 'W/"abc"', {}],
    ['two in one', '"abc", "def"', {}],
    ['not there', null, {}],
  ])('[MG4] an ETag that is %s', (_, etag, more) => {
    const wanted = { kind: 'accepted', status: 200, body: BODY, total: null, ...more }
    expect(outcomeOf(answer(200, { etag }), 'read', NOW)).toStrictEqual(wanted)
  })
})
