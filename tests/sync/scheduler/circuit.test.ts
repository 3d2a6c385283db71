import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Answer } from '#sync/transport/outcome.ts'
import { NOT_ADMITTED, type CircuitMemory } from '#sync/scheduler/circuit.ts'
import { RANKS, type Rank } from '#sync/scheduler/lanes.ts'
import { storedCircuit } from '#sync/scheduler/circuit-memory.ts'
import { CALLS_PER_MINUTE, CLOSED } from '#sync/scheduler/circuit-state.ts'
import type { Http, HttpCall } from '#sync/transport/http.ts'
import { newCircuit } from '../../support/circuit.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] }))
afterEach(() => void vi.useRealTimers())
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms)

const CALL: HttpCall = { method: 'GET', url: 'http://crm.test/x', headers: { Authorization: 'Bearer t' } }
const LOST: Answer = { kind: 'no-answer', sent: true }
const answer = (status: number, more: Partial<Extract<Answer, { kind: 'answer' }>> = {}): Answer => ({
  kind: 'answer',
  status,
  body: {},
  isJson: true,
  total: null,
  retryAfter: null,
  ...more,
})

/** A page of a phone; pages of one phone share its memory. */
function newPage(memory: CircuitMemory = newMemory(), hasLogin = true) {
  const circuit = newCircuit({ memory, hasLogin })
  const call = (end: Answer, options?: Parameters<typeof circuit.guard>[1], what = CALL) =>
    circuit.guard(async () => end, options)(what)
  const turns: string[] = []
  const wantTurn = (name: string, rank: Rank) => circuit.admission$(rank).subscribe(() => turns.push(name))
  return { circuit, call, turns, wantTurn, memory }
}
function newMemory(): CircuitMemory {
  let kept: string | null = null
  return { get: () => kept, set: (text) => void (kept = text) }
}

describe('[OC10] what an answer says of the API', () => {
  test.each<[string, Answer, HttpCall, number]>([
    ['200 JSON', answer(200), CALL, 0],
    ['200 with a file', answer(200, { isJson: false, body: new ArrayBuffer(1) }), CALL, 0],
    ['204', answer(204, { isJson: false, body: '' }), CALL, 0],
    ['404 without a body', answer(404, { isJson: false, body: '' }), CALL, 0],
    ['422', answer(422), CALL, 0],
    ['401 to a login', answer(401), { method: 'POST', url: 'http://crm.test/login' }, 0],
    ['401 to a token', answer(401), CALL, 2],
    ['498', answer(498), CALL, 2],
    ['nothing', LOST, CALL, 3],
    ['a page, 200', answer(200, { isJson: false, body: '<html>' }), CALL, 3],
    ['a page, 403', answer(403, { isJson: false, body: '<html>' }), CALL, 3],
    ['408', answer(408), CALL, 3],
    ['429', answer(429), CALL, 3],
    ['500', answer(500), CALL, 3],
    ['503', answer(503), CALL, 3],
    ['not sent', { kind: 'no-answer', sent: false, late: true }, CALL, 2],
  ])('%s', async (_, end, what, failures) => {
    const { circuit, call } = newPage()
    for (let i = 0; i < 2; i += 1) {
      await wait(circuit.wait())
      await call(LOST)
    }
    await wait(circuit.wait())
    await call(end, {}, what)
    expect(circuit.failures()).toBe(failures)
  })

  test('the probe’s answer ends no back-off; what ends with the sync is no failure', async () => {
    const { circuit, call } = newPage()
    await call(LOST)
    await wait(500)
    await call(answer(404), { probe: true })
    await call(LOST, { stopped: AbortSignal.abort() })
    expect(circuit.failures()).toBe(1)
  })
})

test('[OC10] an answered probe gives back nothing of what calls have used up, of whom nobody knows how they end', async () => {
  const { circuit, call } = newPage()
  for (let i = 0; i < CALLS_PER_MINUTE; i += 1) {
    void circuit.guard(() => new Promise<Answer>(() => undefined))(CALL)
    await call(answer(204), { probe: true })
  }
  expect(circuit.wait()).toBe(60_000)
})

test('[OC10] who is refused a token of the file store asks twelve times in a minute at most; who signs in is answered', async () => {
  const asks = { method: 'POST', url: 'http://api.test/token' } as const
  const [files, crm] = [newPage(newMemory(), false), newPage()]
  for (let i = 0; i < CALLS_PER_MINUTE; i += 1) {
    await files.call(answer(401), {}, asks)
    await crm.call(answer(401), {}, asks)
  }
  expect([files.circuit.wait(), crm.circuit.wait()]).toEqual([60_000, 0])
})

describe('[OC10] what was stopped', () => {
  test('uses up nothing of the minute of who comes after it, whenever it was stopped', async () => {
    const { circuit, call } = newPage()
    for (let i = 0; i < 3 * CALLS_PER_MINUTE; i += 1) await call(LOST, { stopped: AbortSignal.abort() })
    for (let i = 0; i < 3 * CALLS_PER_MINUTE; i += 1) {
      const stopped = new AbortController()
      const http = async () => {
        stopped.abort()
        return LOST
      }
      await circuit.guard(http, { stopped: stopped.signal })(CALL)
    }
    expect(circuit.wait()).toBe(0)
  })

  test('does not call', async () => {
    const { circuit } = newPage()
    const http = vi.fn<Http>(async () => LOST)
    expect(await circuit.guard(http, { stopped: AbortSignal.abort() })(CALL)).toEqual(NOT_ADMITTED)
    expect(http).not.toHaveBeenCalled()
  })
})

describe('[OC10] what one tab has been told', () => {
  const THROTTLED = answer(503, { retryAfter: '60' })

  test('holds for another tab, and after a reload', async () => {
    const { call, memory } = newPage()
    await call(THROTTLED)
    const other = newPage(memory)
    expect([await other.call(answer(200)), other.circuit.wait()]).toEqual([NOT_ADMITTED, 60_000])
    await wait(60_000)
    expect(await other.call(answer(200))).toEqual(answer(200))
  })

  test('the success of one tab opens all', async () => {
    const { circuit, call, memory, turns, wantTurn } = newPage()
    const other = newPage(memory)
    for (let i = 0; i < 5; i += 1) {
      await wait(circuit.wait())
      await call(LOST)
    }
    wantTurn('push', RANKS.push)
    await wait(1_000)
    other.circuit.requestCall()
    await other.call(answer(200))
    expect(turns).toEqual([])
    circuit.storedStateChanged()
    expect(turns).toEqual(['push'])
  })

  test.each([
    ['nothing', null],
    ['no JSON', '{'],
    ['something else', '[1,"a"]'],
    ['fields of other kinds', '{"failures":"x","begun":{},"notBefore":null,"retryAt":-1}'],
  ])('%s is no state', (_, text) => expect(storedCircuit(text, 1_000)).toEqual(CLOSED))

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
    expect(storedCircuit(JSON.stringify(far), 1_000)).toEqual({
      failures: 3,
      notBefore: 31_000,
      retryAt: 1_126_000,
      openedAt: 1_000,
      trialUntil: 181_000,
      wished: false,
      begun: [],
    })
  })
})

describe('[OC10] those who wait', () => {
  async function waiting() {
    const page = newPage()
    for (const name of ['pull', 'pull 2']) page.wantTurn(name, RANKS.pull)
    await page.call(LOST)
    page.turns.length = 0
    page.wantTurn('probe', RANKS.probe)
    for (const name of ['pull', 'pull 2']) page.wantTurn(name, RANKS.pull)
    page.wantTurn('push', RANKS.push)
    await wait(499)
    expect(page.turns).toEqual([])
    await wait(1)
    return page
  }

  test('have their turn one after the other: unsent work first, the probe last', async () => {
    const { turns } = await waiting()
    expect(turns).toEqual(['push'])
    await wait(400)
    expect(turns).toEqual(['push', 'pull', 'pull 2'])
    await wait(200)
    expect(turns).toEqual(['push', 'pull', 'pull 2', 'probe'])
  })

  test('a write that fails on trial lets a read have the next one, also where the read takes a moment to begin', async () => {
    const { circuit, call, turns, wantTurn } = newPage()
    await call(LOST)
    wantTurn('push', RANKS.push)
    await wait(circuit.wait())
    await call(LOST)
    wantTurn('pull', RANKS.pull)
    wantTurn('push', RANKS.push)
    await wait(circuit.wait())
    expect(turns).toEqual(['push', 'pull'])
    await wait(100)
    wantTurn('push again', RANKS.push)
    expect(turns).toEqual(['push', 'pull'])
    await call(answer(200))
    expect(turns).toEqual(['push', 'pull', 'push', 'push again'])
  })

  test('go on waiting while the first is calling, all go once it has succeeded', async () => {
    const { turns, circuit } = await waiting()
    let end: (answer: Answer) => void = () => undefined
    const trial = circuit.guard(() => new Promise((resolve) => (end = resolve)))(CALL)
    await wait(5_000)
    expect(turns).toEqual(['push'])
    end(answer(200))
    await trial
    expect(turns).toHaveLength(4)
  })

  test('are let go in the same step where nothing is wrong, and not at all where they gave up', async () => {
    const { circuit, turns, wantTurn, call } = newPage()
    wantTurn('a', RANKS.pull)
    expect(turns).toEqual(['a'])
    await call(LOST)
    wantTurn('b', RANKS.pull).unsubscribe()
    await wait(circuit.wait() + 1_000)
    expect(turns).toEqual(['a'])
  })
})
