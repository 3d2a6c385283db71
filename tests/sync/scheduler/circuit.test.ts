/** The circuit after each event, by cases; its laws are in `circuit-laws.test.ts`. */
import { describe, expect, test } from 'vitest'
import {
  CALLS_PER_MINUTE,
  circuitAfter,
  CLOSED,
  resultOf,
  waitOf,
  type Circuit,
  type CallResult,
} from '#sync/scheduler/circuit.ts'
import { CALL_TIMEOUT_MS, type HttpCall } from '#sync/transport/http.ts'
import { NOT_SENT, type Answer } from '#sync/transport/outcome.ts'
import { newScheduler } from '../../support/scheduler.ts'

const MINUTE = 60_000

describe('[OC10] what a state keeps', () => {
  const now = 1_000_000
  const begun = Array.from({ length: CALLS_PER_MINUTE }, (_, i) => now + i)
  const ended = (state: Circuit, of: CallResult, more: { begunAt?: number; random?: number } = {}) =>
    circuitAfter(state, { kind: 'ended', now, begunAt: now, random: 0, result: of, ...more })

  test('of calls that began the latest: the oldest of them ends the wait', () => {
    const after = circuitAfter({ ...CLOSED, begun }, { kind: 'begun', now: now + MINUTE, limitMs: 1 })
    expect(after.begun).toEqual([...begun.slice(1), now + MINUTE])
    expect(waitOf(after, now + MINUTE)).toBe(1)
  })
  test('while it is closed no call is on trial', () => {
    expect(circuitAfter(CLOSED, { kind: 'begun', now, limitMs: 20_000 })).toEqual({ ...CLOSED, begun: [now] })
  })
  test('what never left takes its own place in the minute back, and no other', () => {
    expect(ended({ ...CLOSED, begun }, { kind: 'unsent' }).begun).toEqual(begun.slice(1))
    expect(ended({ ...CLOSED, begun }, { kind: 'unsent' }, { begunAt: 7 }).begun).toEqual(begun)
  })
  test('a probe that was answered gives a closed one its own place back, and no other', () => {
    expect(ended({ ...CLOSED, begun }, { kind: 'probed' })).toEqual({ ...CLOSED, begun: begun.slice(1) })
    expect(ended({ ...CLOSED, begun }, { kind: 'probed' }, { begunAt: 7 })).toEqual({ ...CLOSED, begun })
  })
  test('without a Retry-After nothing but the back-off is waited for', () => {
    const after = ended(CLOSED, { kind: 'throttled', retryAfterMs: 0 }, { random: 0.9 })
    expect(after).toMatchObject({ retryAt: 0, failures: 1 })
  })
})

describe('[OC10] a stored state', () => {
  const storedAt = (text: string | null) => circuitAfter(CLOSED, { kind: 'stored', now: 1_000, text })
  test.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['something else', '[1,"a"]'],
    ['null', 'null'],
    ['fields of other kinds', '{"failures":"5","begun":{},"notBefore":null,"retryAt":-1}'],
    ['what no clock says', '{"failures":1e999,"begun":["a",null,-1],"retryAt":1e999}'],
  ])('%s is no state', (_, text) => expect(storedAt(text)).toEqual(CLOSED))

  test('is restored as it was', () => {
    const open = circuitAfter(CLOSED, {
      kind: 'ended',
      now: 900,
      begunAt: 0,
      random: 0,
      result: { kind: 'failed' },
    })
    expect(storedAt(JSON.stringify({ ...open, requested: true }))).toEqual({ ...open, requested: true })
  })

  test('[OC10c] a reload forgets none of the calls of the last minute, and no more than the latest count', () => {
    const times = Array.from({ length: CALLS_PER_MINUTE + 2 }, (_, i) => 1_000 - i).reverse()
    const { begun } = storedAt(JSON.stringify({ ...CLOSED, begun: [...times, 1_001] }))
    expect(begun).toEqual(times.slice(2))
  })

  test('never makes anybody wait longer than the longest wait: its clock may have been another one', () => {
    const year = 365 * 24 * 3_600_000
    const far = {
      failures: 3,
      notBefore: year,
      retryAt: year,
      openedAt: year,
      trialUntil: year,
      begun: [year],
    }
    expect(storedAt(JSON.stringify(far))).toEqual({
      failures: 3,
      notBefore: 31_000,
      retryAt: 1_126_000,
      openedAt: 1_000,
      trialUntil: 181_000,
      requested: false,
      begun: [],
    })
  })
})

describe('[OC10] what an answer says of the API', () => {
  const CALL: HttpCall = { method: 'GET', url: 'http://crm.test/x', headers: { Authorization: 'Bearer t' } }
  const answer = (status: number, more: Partial<Extract<Answer, { kind: 'answer' }>> = {}): Answer => ({
    ...{ kind: 'answer', status, body: {}, isJson: true, total: null, retryAfter: null },
    ...more,
  })
  test.each<[string, Answer, HttpCall, CallResult['kind']]>([
    ['200 JSON', answer(200), CALL, 'useful'],
    ['200 with a file', answer(200, { isJson: false, body: new ArrayBuffer(1) }), CALL, 'useful'],
    ['199', answer(199), CALL, 'failed'],
    ['300', answer(300), CALL, 'failed'],
    ['400', answer(400), CALL, 'useful'],
    ['204', answer(204, { isJson: false, body: '' }), CALL, 'useful'],
    ['404 without a body', answer(404, { isJson: false, body: '' }), CALL, 'useful'],
    ['422', answer(422), CALL, 'useful'],
    ['401 to a login', answer(401), { method: 'POST', url: 'http://crm.test/login' }, 'useful'],
    ['401 to a token', answer(401), CALL, 'neutral'],
    ['498', answer(498), CALL, 'neutral'],
    ['nothing', { kind: 'no-answer', sent: true }, CALL, 'failed'],
    ['a page, 200', answer(200, { isJson: false, body: '<html>' }), CALL, 'failed'],
    ['a page, 403', answer(403, { isJson: false, body: '<html>' }), CALL, 'failed'],
    ['304 to a call without a condition', answer(304, { isJson: false, body: '' }), CALL, 'failed'],
    [
      '304',
      answer(304, { isJson: false, body: '' }),
      { ...CALL, headers: { 'If-None-Match': '"a"' } },
      'useful',
    ],
    [
      '301 to a call with a condition',
      answer(301),
      { ...CALL, headers: { 'If-None-Match': '"a"' } },
      'failed',
    ],
    ['408', answer(408), CALL, 'failed'],
    ['429', answer(429), CALL, 'throttled'],
    ['500', answer(500), CALL, 'failed'],
    ['503', answer(503), CALL, 'throttled'],
    ['not sent', { kind: 'no-answer', sent: false, held: true }, CALL, 'unsent'],
  ])('%s', (_, end, what, kind) => {
    expect(resultOf(end, what, { wall: 0, hasLogin: true }).kind).toBe(kind)
  })

  test('a refused token of the file store is no answer of use', () => {
    const call: HttpCall = { method: 'POST', url: 'http://api.test/token' }
    expect(resultOf(answer(401), call, { wall: 0, hasLogin: false }).kind).toBe('neutral')
  })
})

test.each([undefined, 3])(
  '[OC10a] while a call on trial may take its %s-fold time, a photo’s for example, no other one begins',
  async (patience) => {
    let now = 0
    const scheduler = newScheduler({ now: () => now })
    const call: HttpCall = { method: 'POST', url: 'http://files.test/upload', ...(patience && { patience }) }
    const lost: Answer = { kind: 'no-answer', sent: true }
    await scheduler.guard(async () => lost)(call)
    now += scheduler.wait()
    void scheduler.guard(() => new Promise<Answer>(() => undefined))(call)
    const second = scheduler.guard(async () => lost)
    now += CALL_TIMEOUT_MS * (patience ?? 1) - 1
    expect([scheduler.wait(), await second(call)]).toEqual([1, NOT_SENT])
    now += 1
    expect(scheduler.wait()).toBe(0)
  },
)
