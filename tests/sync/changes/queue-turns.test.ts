/**
 * Whose turn it is after a call has ended, and whose fault that was, also where the device's storage did not take it: the sender
 * on a model of the device, with a CRM that answers as it is told.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import { blankFacts } from '#schemas/changes/change-queue.ts'
import type { StoredState } from '#schemas/change.ts'
import { pageLocks } from '../../support/page-locks.ts'
import { rxQueueStore } from '#sync/changes/change-store.ts'
import type { Api, Reader as ReaderOfCrm } from '#sync/scheduler/api.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { createClock } from '#lib/time/stamp.ts'
import { Disk } from '../../simulate/disk.ts'
import { modelDb } from '../../simulate/model-db.ts'
import { oneRun } from '../../support/one-run.ts'

const NOW = Date.parse('2026-11-20T11:00:00+09:00')
const TODAY = '2026-11-20'
const IN_TIME = '2026-11-20T10:10:00+09:00'

const OK = (body: unknown): Outcome => ({ kind: 'accepted', status: 200, body, total: null })
const CHOKED: Outcome = { kind: 'unknown', status: 500 }
const FORBIDDEN: Outcome = { kind: 'refused', status: 403, reasons: [] }

let disk: Disk
/** True if the next write finds no room. */
let isFull: boolean
/** Called after each read of the store, to freeze the page there. */
let frozen: () => void
/** The monotonic clock. */
let elapsedMs: number
/** The writing calls, in the order of leaving. */
let calls: string[]
/** Ids of requests whose report the CRM has. */
let there: Set<string>
/** The CRM's answers to entries, by request id. It accepts all others. */
let answers: Map<string, () => Outcome>

beforeEach(() => {
  disk = new Disk('phone', 'u1')
  isFull = false
  frozen = () => undefined
  elapsedMs = 0
  calls = []
  there = new Set()
  answers = new Map()
})

/** Writes a save to the disk. */
function save(kind: 'entry' | 'exit' | 'note', requestId: string, second: number): void {
  const [isNote, at] = [kind === 'note', NOW - 60_000 + second * 1_000]
  const base = {
    id: `${kind} ${requestId}`,
    stamp: `${at}-0000-phone`,
    savedAt: new Date(at).toISOString(),
    kind: isNote ? 'create' : kind,
  }
  const report = {
    inTime: IN_TIME,
    outTime: kind === 'exit' ? IN_TIME : null,
    ...{ type: '1', reason1: null, reason2: null, reportContent: '一' },
  }
  const record = isNote
    ? { resource: 'noteLocationAreas', key: `note-${requestId}`, requestId, workingDate: '' }
    : { resource: 'quickReports', key: `${requestId}_${TODAY}`, requestId, workingDate: TODAY }
  disk.write('changes', base.id, {
    ...base,
    ...blankFacts({ record, change: base }),
    userId: 'u1',
    offline: false,
    fields: isNote ? { note: 'ふたは重い' } : report,
    own: isNote ? { locationAreaId: 'area', noteType: '2' } : { workingDateType: '1' },
  })
}

function reportOf(requestId: string) {
  const report = { id: `q-${requestId}`, requestId, workingDate: TODAY, inTime: IN_TIME, editStatus: 'OK' }
  return there.has(requestId) ? report : null
}

const reader: ReaderOfCrm = {
  async read(path) {
    const id = path.replace(/^.*\//, '')
    if (path.startsWith('quickReport/')) return OK(reportOf(id.replace('q-', '')))
    return OK({ id, requestCode: id, ttsOrder: {}, workingDate: TODAY, quickReport: reportOf(id) })
  },
}

const api: Api = {
  ...reader,
  fresh: reader,
  async write({ method, path, body }) {
    const { requestId = '' } = body as { requestId?: string }
    calls.push(method === 'POST' ? `POST ${requestId}` : `PUT ${path}`)
    const answer = method === 'POST' ? answers.get(requestId)?.() : undefined
    if (answer) return answer
    there.add(requestId)
    return OK({ id: `q-${requestId}` })
  },
}

function phone() {
  const step = async <T>(kind: 'read' | 'write', effect: () => T): Promise<T> => {
    if (kind === 'read') {
      const found = effect()
      frozen()
      return found
    }
    if (!isFull) return effect()
    isFull = false
    throw new DOMException('no room', 'QuotaExceededError')
  }
  const sender = oneRun({
    store: rxQueueStore(modelDb(disk, step, { now: () => NOW, knowsUntil: () => Infinity })),
    api,
    locks: pageLocks(),
    clock: createClock({ now: () => NOW, device: 'tab', memory: { get: () => null, set: () => undefined } }),
    elapsed: () => elapsedMs,
    limitMs: 20_000,
    userId: 'u1',
    loginUserId: 's1',
  })
  return {
    /** Runs the queue this many times. A write that finds no room ends its run. */
    async goes(times: number) {
      for (let time = 0; time < times; time += 1) await sender.drain().catch((e: unknown) => console.error(e))
    },
  }
}

const stateOf = (id: string): StoredState | undefined => disk.changes.get(id)?.state
const statesOf = (...ids: string[]) => ids.map((id) => stateOf(`entry ${id}`))

describe('[OR1] whose turn it is', () => {
  test('an exit is in its place again once its entry, which was answered 500, turned out to be there', async () => {
    save('entry', 'r1', 1)
    save('exit', 'r1', 2)
    save('entry', 'r2', 3)
    answers.set('r1', () => {
      there.add('r1')
      return CHOKED
    })
    await phone().goes(2)
    expect(calls).toEqual(['POST r1', 'PUT quickReport/requestUpdate', 'POST r2'])
  })
})

test.each([0, 1, 2, 3])(
  '[OR1] a page that is frozen after its read %i sends what was saved meanwhile in another tab in its order',
  async (read) => {
    save('entry', 'r0', 0)
    let reads = 0
    frozen = () => {
      if ((reads += 1) !== read + 1) return
      elapsedMs += 40_000
      save('entry', 'r1', 1)
      save('note', 'r2', 2)
    }
    await phone().goes(2)
    expect(calls).toEqual(['POST r0', 'POST r1', 'POST r2'])
  },
)

/** After this tab's n-th read another tab writes this state of r1's entry. */
function otherTab(read: number, state: StoredState, wrote: () => void = () => undefined): void {
  let reads = 0
  frozen = () => {
    const row = disk.changes.get('entry r1')
    if ((reads += 1) !== read + 1 || !row) return
    disk.write('changes', row.id, { ...row, state, payload: '{}' })
    wrote()
  }
}

describe.each([0, 1, 2, 3, 4, 5])('another tab is quicker, after the read %i', (read) => {
  test.each<[string, StoredState, string[]]>([
    ['[OR3] what it has refused does not leave again', 'refused', []],
    [
      '[OR2] what hangs on its entry goes after that',
      'sending',
      ['POST r1', 'PUT quickReport/requestUpdate'],
    ],
  ])('%s', async (_, state, left) => {
    save('entry', 'r1', 1)
    save('exit', 'r1', 2)
    let before = 0
    otherTab(read, state, () => (before = calls.length))
    await phone().goes(2)
    expect(calls.slice(before)).toEqual(left)
  })
})

test.each<[StoredState, string[]]>([
  ['accepted', []],
  ['refused', []],
  ['waiting', ['POST r1']],
])(
  '[OC3] a call that is found at a start, and has ended as %s by then, is in no doubt',
  async (state, sent) => {
    for (const read of [0, 1]) {
      disk = new Disk('phone', 'u1')
      calls = []
      save('entry', 'r1', 1)
      const row = disk.changes.get('entry r1')
      if (row) disk.write('changes', row.id, { ...row, state: 'sending', payload: '{}' })
      otherTab(read, state)
      await phone().goes(1)
      expect(calls).toEqual(sent)
      expect(stateOf('entry r1')).toBe(state === 'waiting' ? 'accepted' : state)
    }
  },
)

describe('[ST4] what the device’s storage did not take of an answer', () => {
  test('[OC8] an own fault is not forgotten: what the CRM alone chokes on is 失敗', async () => {
    save('entry', 'r1', 1)
    save('entry', 'r2', 2)
    let refused = 0
    answers.set('r1', () => {
      // the first refusal after another acceptance is the change's own fault, which the device cannot store
      if (there.has('r2') && refused === 0) {
        isFull = true
        refused += 1
      }
      return CHOKED
    })
    const { goes } = phone()
    await goes(3)
    expect(refused).toBe(1)
    expect(isFull).toBe(false)
    await goes(6)
    expect(statesOf('r1', 'r2')).toEqual(['refused', 'accepted'])
    expect(disk.changes.get('entry r1')?.reasons).toEqual(['systemError'])
  })

  test('[OC7c] three refused in a row without a reason wait again, though that was not taken at first', async () => {
    const all = ['r1', 'r2', 'r3']
    all.forEach((id, at) => save('entry', id, at))
    let last = 0
    for (const id of all)
      answers.set(id, () => {
        // the earlier changes must wait again before this one does
        if (id === 'r3') isFull = (last += 1) === 1
        return FORBIDDEN
      })
    const { goes } = phone()
    await goes(1)
    expect(last).toBe(1)
    expect(statesOf('r1', 'r2')).toEqual(['refused', 'refused'])
    await goes(1)
    expect(statesOf(...all)).toEqual(['unknown', 'unknown', 'unknown'])
  })
})
