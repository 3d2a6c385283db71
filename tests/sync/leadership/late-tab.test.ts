/**
 * Two tabs send one after the other, and the second has not heard yet how the call of the first ended (RULES MG3): on the
 * simulation's model of the database, where what another tab wrote is read a while later.
 */
import { expect, test } from 'vitest'
import { blankFacts } from '#schemas/changes/change-queue.ts'
import type { Change, StoredState } from '#schemas/change.ts'
import type { QuickReportChange, QuickReportRecord } from '#schemas/resources/quick-report.ts'
import type { FormDraft } from '#schemas/device/form-draft.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { pageLocks } from '../../support/page-locks.ts'
import { type PhotoBytes, createPhotoStore } from '#sync/photos/photo-store.ts'
import { rxQueueStore } from '#sync/changes/change-store.ts'
import type { Api, Reader as ReaderOfCrm } from '#sync/scheduler/api.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { addChange } from '#data/changes/changes.ts'
import { createClock } from '#lib/time/stamp.ts'
import { Disk, type Reader } from '../../simulate/disk.ts'
import { modelDb } from '../../simulate/model-db.ts'
import { oneRun } from '../../support/one-run.ts'

const KEY = 'r1_2026-11-20'
const NOW = Date.parse('2026-11-20T11:00:00+09:00')
const at = (minute: number) => `2026-11-20T10:${minute}:00+09:00`
const stampOf = (ms: number) => `${NOW + ms}-0000-phone`

const CONTENT = {
  inTime: at(10),
  outTime: at(20),
  type: '1',
  reason1: null,
  reason2: null,
  reportContent: '一',
}
const SERVER = { ...CONTENT, id: 'q1', editStatus: 'OK', detailed: true, stamp: stampOf(-9_000) }

const edit = (id: string, ms: number, fields: object): QuickReportChange => ({
  id,
  stamp: stampOf(ms),
  savedAt: new Date(NOW + ms).toISOString(),
  userId: 'u1',
  offline: false,
  kind: 'edit',
  fields: { ...CONTENT, ...fields },
  madeOn: { stamp: SERVER.stamp, fields: CONTENT },
})
/** The first moves the end, the second says more, on top of it: it carries the whole content. */
const first = edit('first', -3_000, { outTime: at(30), reportContent: '二' })
const second = edit('second', -2_000, { outTime: at(30), reportContent: '三' })

const record = {
  key: KEY,
  requestId: 'r1',
  workingDate: '2026-11-20',
  workingDateType: '1',
  serverId: 'q1',
  server: SERVER,
  changes: [first, second],
  unsent: 'yes',
} as QuickReportRecord

/** A CRM where the office has moved the end after the first edit had arrived. */
function crmOf(sent: object[]): Api {
  const accepted = (body: unknown): Outcome => ({ kind: 'accepted', status: 200, body, total: null })
  const { reason1: _, reason2: __, ...content } = CONTENT
  const row = { ...content, id: 'q1', requestId: 'r1', workingDate: '2026-11-20', editStatus: 'OK' }
  const reader: ReaderOfCrm = {
    read: async () => accepted({ ...row, outTime: at(40), reportContent: '二' }),
  }
  return {
    ...reader,
    fresh: reader,
    async write({ body }) {
      sent.push(body)
      return accepted(null)
    },
  }
}

/** The same for a record that is made: what is looked for, and what is sent. */
function crmWithout(calls: string[]): Api {
  const reader: ReaderOfCrm = {
    read: async () => {
      calls.push('read')
      return { kind: 'accepted', status: 200, body: { id: 'r1', workingDate: '2026-11-20' }, total: null }
    },
  }
  return {
    ...reader,
    fresh: reader,
    async write() {
      calls.push('write')
      return { kind: 'accepted', status: 200, body: { id: 'q1' }, total: null }
    },
  }
}

const senderOf = (db: ReturnType<typeof modelDb>, api: Api) =>
  oneRun({
    store: rxQueueStore(db),
    api,
    locks: pageLocks(),
    clock: createClock({ now: () => NOW, device: 'tab', memory: { get: () => null, set: () => undefined } }),
    elapsed: () => NOW,
    limitMs: 20_000,
    userId: 'u1',
    loginUserId: 's1',
  })

const rowOf = (change: QuickReportChange, more: Partial<Change> = {}): Change => ({
  ...change,
  ...blankFacts({ record: { resource: 'quickReports', ...record }, change }),
  own: { workingDateType: '1' },
  ...more,
})
const { changes: _changes, unsent: _unsent, ...document } = record

/** What the second tab sends, that has read the ledger until just before the other one's last word. */
async function sentAfter(heard: StoredState): Promise<object[]> {
  const disk = new Disk('phone', 'u1')
  disk.write('quickReports', KEY, document)
  disk.write('changes', 'second', rowOf(second))
  const other: Reader = { now: () => NOW - 1_000, knowsUntil: () => Infinity }
  const late: Reader = { now: () => NOW - 10, knowsUntil: () => Infinity }
  const row = rowOf(first, { payload: '{}' })
  const result = { ...SERVER, ...first.fields, stamp: stampOf(-100) }
  disk.write('changes', 'first', { ...row, state: heard }, other)
  disk.write('changes', 'first', { ...row, state: 'accepted', serverId: 'q1', result }, late)
  const tab: Reader = { now: () => NOW, knowsUntil: () => NOW - 500 }
  const db = modelDb(disk, async (_, effect) => effect(), tab)
  const sent: object[] = []
  await senderOf(db, crmOf(sent)).drain()
  return sent
}

test.each<StoredState>(['sending', 'unknown'])(
  '[MG3] an edit on top of one that this tab heard of last as %s, and that the CRM has: what others changed since stays',
  async (heard) => {
    expect(await sentAfter(heard)).toMatchObject([{ outTime: at(40), reportContent: '三' }])
  },
)

test.each(Array.from({ length: 24 }, (_, i) => i + 1))(
  '[OC3][OC6] a call of another tab, which died, is heard of at the read %i: the record is looked for before it is made',
  async (step) => {
    const disk = new Disk('phone', 'u1')
    const entry = { ...edit('entry', -3_000, {}), kind: 'entry' as const }
    const other: Reader = { now: () => NOW, knowsUntil: () => Infinity }
    disk.write('changes', 'entry', rowOf(entry, { kind: 'entry', state: 'sending', payload: '{}' }), other)
    let steps = 0
    const tab: Reader = { now: () => NOW, knowsUntil: () => (steps < step ? NOW - 500 : NOW) }
    const counted = async <T>(_: 'read' | 'write', effect: () => T): Promise<T> => {
      steps += 1
      return effect()
    }
    const calls: string[] = []
    const sender = senderOf(modelDb(disk, counted, tab), crmWithout(calls))
    // where it is heard of at the last moment, the run ends, and the next one looks
    await sender.drain().catch(() => undefined)
    await sender.drain()
    expect(calls[0]).toBe('read')
  },
)

test.each<[string, StoredState, object]>([
  ['is in the CRM: it is made on that one', 'accepted', { stamp: first.stamp, fields: first.fields }],
  ['was discarded: it is made on what that one was made on', 'discarded', { stamp: SERVER.stamp }],
])('[MG2] a save over one that this tab still shows as being sent, and that %s', async (_, state, madeOn) => {
  const disk = new Disk('phone', 'u1')
  const other: Reader = { now: () => NOW - 1_000, knowsUntil: () => Infinity }
  const late: Reader = { now: () => NOW - 10, knowsUntil: () => Infinity }
  const shown = { ...record, changes: [first] }
  const result = { ...SERVER, ...first.fields, stamp: stampOf(-5) }
  disk.write('quickReports', KEY, document, other)
  disk.write('changes', 'first', rowOf(first, { state: 'sending' }), other)
  disk.write('changes', 'first', rowOf(first, { state, ...(state === 'accepted' && { result }) }), late)
  const db = modelDb(disk, async (_step, effect) => effect(), { now: () => NOW, knowsUntil: () => NOW - 500 })
  const { madeOn: _base, ...saved } = edit('third', 0, { outTime: at(30), reportContent: '三' })
  await addChange(db, 'quickReports', shown, saved)
  expect(disk.view('quickReports', KEY)?.changes).toMatchObject([{ id: 'third', madeOn }])
})

/** Sweeps old bytes of two keys, of which only `ph1` is a photo's. @returns the keys whose bytes were removed */
async function sweptFrom(db: ReturnType<typeof modelDb>): Promise<string[]> {
  const removed: string[] = []
  const bytes = {
    keys: async () => ['ph1', 'nobodys'],
    remove: async (key: string) => void removed.push(key),
  } as Pick<PhotoBytes, 'keys' | 'remove'>
  await createPhotoStore(db, bytes as PhotoBytes).sweep(NOW)
  return removed
}

test.each(['photos', 'drafts'] as const)(
  '[SV3b] the bytes that %s name, which another tab wrote just now, are not swept, though a clock calls them old',
  async (where) => {
    const disk = new Disk('phone', 'u1')
    const late: Reader = { now: () => NOW - 10, knowsUntil: () => Infinity }
    if (where === 'photos') disk.write('photos', 'ph1', { key: 'ph1' } as PhotoRecord, late)
    else disk.write('drafts', 'form', { key: 'form', photos: [{ key: 'ph1' }] } as FormDraft, late)
    const db = modelDb(disk, async (_step, effect) => effect(), {
      now: () => NOW,
      knowsUntil: () => NOW - 500,
    })
    expect(await sweptFrom(db)).toEqual(['nobodys'])
  },
)

test('[SV3b] the bytes of a photo that is saved during the sweep of a start stay, whichever steps the save is between', async () => {
  const reads = 2
  for (let savedAt = 0; savedAt <= reads; savedAt += 1)
    for (let endedAt = savedAt; endedAt <= reads; endedAt += 1) {
      const disk = new Disk('phone', 'u1')
      const draft = { key: 'form', photos: [{ key: 'ph1' }] } as FormDraft
      disk.write('drafts', 'form', draft)
      let steps = 0
      const db = modelDb(disk, async (_step, effect) => {
        if (steps === savedAt) disk.write('photos', 'ph1', { key: 'ph1' } as PhotoRecord)
        if (steps === endedAt) disk.write('drafts', 'form', { ...draft, _deleted: true })
        steps += 1
        return effect()
      })
      const removed = await sweptFrom(db)
      expect({ savedAt, endedAt, steps, removed }).toEqual({
        savedAt,
        endedAt,
        steps: reads,
        removed: ['nobodys'],
      })
    }
})
