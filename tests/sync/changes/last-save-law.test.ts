/**
 * The law of the last save, for a record that is made and edited: whatever was refused, lost or too old in between, the CRM
 * ends up with one record that says what was saved last, or what it said when that was discarded, also where that had been so
 * before, and whatever others wrote before it was sent. The real commands, sender and wishes, on the simulation's model of
 * the database; the CRM is a few lines.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HISTORY_MAX, othersEdits, replacedHere } from '#schemas/change-history.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import {
  CREATING_KINDS,
  effectiveChanges,
  entriesOf,
  isInDoubt,
  queueOf,
} from '#schemas/changes/change-queue.ts'
import { rxQueueStore } from '#sync/changes/change-store.ts'
import type { Api, Reader, WriteCall } from '#sync/scheduler/api.ts'
import { pageLocks } from '../../support/page-locks.ts'
import { applyUserRequests } from '#sync/changes/sender.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import type { CustomerLocationRecord } from '#schemas/resources/customer-location-change-request.ts'
import { wish } from '#data/fetch-requests/wishes.ts'
import { createClock } from '#lib/time/stamp.ts'
import { Disk } from '../../simulate/disk.ts'
import { modelDb } from '../../simulate/model-db.ts'
import { oneRun } from '../../support/one-run.ts'

const START = Date.parse('2026-11-20T10:00:00+09:00')
const DAY_AND_A_BIT = 25 * 3_600_000

/** How a call ends. `lost`, `failed`: the CRM has applied the call. */
type Fate = 'fine' | 'refused' | 'lost' | 'failed' | 'down'
type Step =
  // `putBack`: the value from before the last change is saved again
  | { kind: 'save' | 'putBack' | 'office' | 'night' | 'resend' | 'discard' }
  // `isHidden`: the CRM answers one read of the record with 404, but accepts a PUT
  | { kind: 'send'; fates: Fate[]; isHidden: boolean }

/** One value can take up to three history entries: its write, its replacement, and an edit of ours that was lost before. */
const KEPT = Math.floor(HISTORY_MAX / 3)

/** The texts of other people begin with this. */
const OFFICE = '事務'

const accepted = (body: unknown): Outcome => ({ kind: 'accepted', status: 200, body, total: null })

/** A CRM with one request, whose calls end as planned. */
function miniCrm() {
  let record: { id: string; inMethod: string } | null = null
  /** Values of others that a save has replaced. */
  const replaced = new Set<string>()
  let number = 0
  let fates: Fate[] = []
  let isHidden = false
  const missing: Outcome = { kind: 'missing', status: 404, reasons: [] }
  const act = ({ method, body }: WriteCall): Outcome => {
    const { inMethod } = body as { inMethod: string }
    if (method === 'POST' && record) return { kind: 'refused', status: 202, reasons: ['ec00030'] }
    if (record?.inMethod.startsWith(OFFICE) && record.inMethod !== inMethod) replaced.add(record.inMethod)
    record = { id: record?.id ?? `l${(number += 1)}`, inMethod }
    return method === 'POST' ? accepted({ id: record.id }) : accepted(null)
  }
  const reader: Reader = {
    async read(path) {
      if (!path.startsWith('request/')) {
        const found = record && !isHidden ? accepted(record) : missing
        isHidden = false
        return found
      }
      const customerLocationChangeStatus = record ? '2' : '1'
      const customerLocationChangeRequest = record && { id: record.id }
      const row = { id: 'r1', requestCode: 'C1', workingDate: '2026-11-20', ttsOrder: {} }
      return accepted({ ...row, customerLocationChangeStatus, customerLocationChangeRequest })
    },
  }
  const api: Api = {
    ...reader,
    fresh: reader,
    async write(call) {
      const fate = fates.shift() ?? 'fine'
      if (fate === 'refused') return { kind: 'refused', status: 400, reasons: ['内容'] }
      if (fate === 'down') return { kind: 'unreachable' }
      const outcome = act(call)
      if (fate === 'lost') return { kind: 'unknown', status: 0 }
      return fate === 'failed' ? { kind: 'unknown', status: 500 } : outcome
    },
  }
  /** Another person edits the record. @returns false if there is no record yet */
  const office = (inMethod: string) => {
    if (record) record = { ...record, inMethod }
    return record !== null
  }
  const holds = () => record?.inMethod ?? null
  const plan = (next: readonly Fate[], hides = false) => {
    fates = [...next]
    isHidden = hides
  }
  return { api, office, holds, replaced, plan }
}

function scene() {
  const disk = new Disk('phone', 'u1')
  const db = modelDb(disk, async (_, effect) => effect())
  const at = { now: START }
  const now = () => at.now
  const clock = createClock({ now, device: 'phone', memory: { get: () => null, set: () => undefined } })
  const store = rxQueueStore(db)
  const locks = pageLocks()
  const crm = miniCrm()
  const patience = { elapsed: () => at.now, limitMs: 20_000 }
  const user = { userId: 'u1', loginUserId: 's1' }
  const sender = oneRun({ store, api: crm.api, locks, clock, ...patience, ...user })
  const grant = applyUserRequests({ store, locks, now })
  let ids = 0
  const saver = { db, clock, newId: () => `c${(ids += 1)}`, userId: 'u1', offline: false }
  const queue = async () => {
    const records = await store.records(await store.open())
    return queueOf(records, entriesOf(records))
  }
  const seen = () => disk.view('customerLocationChangeRequests', 'r1') as CustomerLocationRecord | null
  const asked = () => [...disk.changes.keys()]
  return {
    at,
    crm,
    sender,
    queue,
    shown: () => {
      const record = seen()
      const content = record && (effectiveChanges(record.changes).at(-1)?.fields ?? record.server)
      return content?.inMethod ?? null
    },
    /** The values of others in the record's history. */
    history() {
      const { history } = seen() ?? {}
      return [
        ...replacedHere(history).map(({ value }) => value),
        ...othersEdits(history).map(({ after }) => after),
      ]
    },
    /** A person opens the record, changes the field, and saves. */
    async save(inMethod: string) {
      await saveCustomerLocation(saver, 'r1', { parkingType: '1', parkingMethod: '', inMethod }, seen())
      at.now += 1_000
    },
    async resend() {
      for (const item of await queue())
        if (item.state === 'failed' || item.state === 'expired') await wish(db, item, 'resend')
      await grant(asked())
    },
    async discard() {
      for (const item of await queue()) await wish(db, item, 'discard')
      await grant(asked())
    },
  }
}

const fate = fc.constantFrom<Fate>('fine', 'refused', 'lost', 'failed', 'down')
const someStep = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.constantFrom<Step>(
    { kind: 'save' },
    { kind: 'putBack' },
    { kind: 'office' },
    { kind: 'night' },
    { kind: 'resend' },
    { kind: 'discard' },
  ),
  fc.record({
    kind: fc.constant('send' as const),
    fates: fc.array(fate, { maxLength: 3 }),
    isHidden: fc.boolean(),
  }),
)

/** Another person edits a field that a save here replaces, and the answer to that save is lost. */
const lostEdit: Step[] = [
  { kind: 'send', fates: [], isHidden: false },
  { kind: 'save' },
  { kind: 'office' },
  { kind: 'send', fates: ['lost'], isHidden: false },
]
const steps = fc
  .array(fc.oneof({ weight: 6, arbitrary: someStep.map((one) => [one]) }, fc.constant(lostEdit)), {
    maxLength: 14,
  })
  .map((some) => some.flat())

/** Runs steps, and computes which values the CRM may have in the end. */
function day() {
  const { at, crm, sender, queue, save, shown, history, resend, discard } = scene()
  let words = 0
  let wanted = new Set<string | null>()
  let before = shown()
  const word = () => `言葉${(words += 1)}`
  const saving = async (text: string) => {
    before = shown()
    await save(text)
    wanted = new Set([text])
  }
  const isBeingMade = async () => (await queue()).some(({ change }) => CREATING_KINDS.includes(change.kind))
  const office = async () => {
    // if others change a created record before its read-back, the read-back does not recognise it (RULES OC9)
    if (await isBeingMade()) return
    const waiting = await queue()
    const text = `${OFFICE}${word()}`
    if (!crm.office(text)) return
    // a save that has not left is later than the edits of others; a save that may have left may be earlier or later
    if (waiting.length === 0) wanted = new Set([text])
    else if (waiting.some(isInDoubt)) wanted.add(text)
  }
  const discarding = async () => {
    // the create may have arrived all the same, and its read-back would not recognise it after this edit
    if ((await queue()).length === 0 || (await isBeingMade())) return
    await discard()
    wanted = new Set([crm.holds()])
  }
  return {
    async take(each: Step): Promise<void> {
      if (each.kind === 'save') return saving(word())
      if (each.kind === 'putBack') return saving(before === null || before === shown() ? word() : before)
      if (each.kind === 'office') return office()
      if (each.kind === 'resend') return resend()
      if (each.kind === 'discard') return discarding()
      if (each.kind === 'send') {
        crm.plan(each.fates, each.isHidden && !(await isBeingMade()))
        await sender.drain()
        return
      }
      at.now += DAY_AND_A_BIT
    },
    async atTheEnd() {
      crm.plan([])
      for (let times = 0; (await queue()).length > 0 && times < 5; times += 1) {
        await sender.drain()
        await resend()
      }
      const untold = [...crm.replaced].slice(-KEPT).filter((text) => !history().includes(text))
      return { left: await queue(), holds: crm.holds(), wanted: [...wanted], untold }
    },
  }
}

test('[OR1][OR2][SV2][MG2] the CRM holds what was saved last, once everything has been sent, sent again or discarded; what it replaced is in the history', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const { take, atTheEnd } = day()
      for (const each of [{ kind: 'save' as const }, ...taken]) await take(each)
      const { left, holds, wanted, untold } = await atTheEnd()
      expect(left).toEqual([])
      expect(wanted).toContain(holds)
      expect(untold).toEqual([])
    }),
    { numRuns: 400 },
  )
})
