/**
 * Whose turn it is after a call has ended, and whose fault that was, also where the device's storage did not take it: the sender
 * on a model of the device, with a CRM that answers as it is told.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import type { LedgerState } from '#schemas/ledger-entry.ts'
import type { NoteRecord } from '#schemas/note-location-area.ts'
import { pushCollections } from '#schemas/push-collections.ts'
import type { QuickReportChange, QuickReportRecord } from '#schemas/quick-report.ts'
import { createLocks } from '#sync/leadership/locks.ts'
import { rxQueueStore } from '#sync/queue/queue-store.ts'
import { createSender } from '#sync/queue/sender.ts'
import type { Api, Reader as ReaderOfCrm } from '#sync/transport/api.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { createClock } from '#lib/time/stamp.ts'
import { Disk, modelDb } from '../simulate/model-db.ts'

const NOW = Date.parse('2026-11-20T11:00:00+09:00')
const TODAY = '2026-11-20'
const IN_TIME = '2026-11-20T10:10:00+09:00'

const OK = (body: unknown): Outcome => ({ kind: 'accepted', status: 200, body, total: null })
const CHOKED: Outcome = { kind: 'unknown', status: 500 }
const FORBIDDEN: Outcome = { kind: 'refused', status: 403, reasons: [] }

let disk: Disk
/** The next write finds no room. */
let isFull: boolean
/** After each read of the store: a page that is put to sleep there. */
let frozen: () => void
/** By a clock that nobody sets. */
let elapsedMs: number
/** Calls that wrote, as they left. */
let calls: string[]
/** Requests that the CRM has a report of. */
let there: Set<string>
/** What the CRM answers to the entry of a request; it takes all others. */
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

const change = (kind: 'entry' | 'exit', requestId: string, second: number): QuickReportChange => ({
  id: `${kind} ${requestId}`,
  stamp: `${NOW - 60_000 + second * 1_000}-0000-phone`,
  savedAt: new Date(NOW - 60_000 + second * 1_000).toISOString(),
  userId: 'u1',
  offline: false,
  kind,
  fields: {
    inTime: IN_TIME,
    outTime: kind === 'exit' ? IN_TIME : null,
    type: '1',
    reason1: null,
    reason2: null,
    reportContent: '一',
  },
})

function save(requestId: string, ...changes: QuickReportChange[]): void {
  const record: QuickReportRecord = {
    key: `${requestId}_${TODAY}`,
    requestId,
    workingDate: TODAY,
    workingDateType: '1',
    serverId: '',
    changes,
    unsent: 'yes',
  }
  disk.write('quickReports', record.key, record)
}

function saveNote(requestId: string, second: number): void {
  const { fields: _, ...base } = change('entry', requestId, second)
  const fields = { note: 'ふたは重い' }
  const note: NoteRecord = {
    key: `note-${requestId}`,
    requestId,
    workingDate: '',
    locationAreaId: 'area',
    noteType: '2',
    serverId: '',
    changes: [{ ...base, id: `note ${requestId}`, kind: 'create', fields }],
    unsent: 'yes',
  }
  disk.write('noteLocationAreas', note.key, note)
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
  const sender = createSender({
    store: rxQueueStore(modelDb(disk, step, { now: () => NOW, knowsUntil: () => Infinity })),
    api,
    locks: createLocks(undefined),
    clock: createClock({ now: () => NOW, device: 'tab', memory: { get: () => null, set: () => undefined } }),
    elapsed: () => elapsedMs,
    limitMs: 20_000,
    wake: () => undefined,
    userId: 'u1',
    loginUserId: 's1',
  })
  return {
    /** The queue is gone through so often; what the device does not take ends that time. */
    async goes(times: number) {
      for (let time = 0; time < times; time += 1) await sender.drain().catch(() => undefined)
    },
  }
}

const stateOf = (id: string): LedgerState | undefined => disk.ledger.get(id)?.state
const statesOf = (...ids: string[]) => ids.map((id) => stateOf(`entry ${id}`))

describe('[OR1] whose turn it is', () => {
  test('an exit is in its place again once its entry, which was answered 500, turned out to be there', async () => {
    save('r1', change('entry', 'r1', 1), change('exit', 'r1', 2))
    save('r2', change('entry', 'r2', 3))
    answers.set('r1', () => {
      there.add('r1')
      return CHOKED
    })
    await phone().goes(2)
    expect(calls).toEqual(['POST r1', 'PUT quickReport/requestUpdate', 'POST r2'])
  })
})

describe('[OR1] a page that is frozen in the middle of a read of the queue', () => {
  test.each(pushCollections.map((_, read) => read))(
    'goes by what was saved meanwhile in another tab, after the read %i',
    async (read) => {
      let reads = 0
      frozen = () => {
        reads += 1
        // the first two are of the accepted that are to be settled
        if (reads !== pushCollections.length + 2 + read) return
        elapsedMs += 40_000
        save('r1', change('entry', 'r1', 1))
        saveNote('r2', 2)
      }
      await phone().goes(1)
      expect(calls).toEqual(['POST r1', 'POST r2'])
    },
  )
})

describe('[ST4] what the device’s storage did not take of an answer', () => {
  test('[OC8] an own fault is not forgotten: what the CRM alone chokes on is 失敗', async () => {
    save('r1', change('entry', 'r1', 1))
    save('r2', change('entry', 'r2', 2))
    let refused = 0
    answers.set('r1', () => {
      // the first one after another was accepted is the change's own, and nothing can be written of it
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
    expect(disk.ledger.get('entry r1')?.reasons).toEqual(['systemError'])
  })

  test('[OC7] three refused in a row without a reason wait again, though that was not taken at first', async () => {
    const all = ['r1', 'r2', 'r3']
    all.forEach((id, at) => save(id, change('entry', id, at)))
    let last = 0
    for (const id of all)
      answers.set(id, () => {
        // before it waits, those before it are to wait again
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
