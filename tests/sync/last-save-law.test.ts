/**
 * The law of the last save, for a record that is made and edited: whatever was refused, lost or too old in between, the CRM
 * ends up with one record that says what was saved last. The real commands, sender and wishes, on the simulation's model of
 * the database; the CRM is a few lines.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Outcome } from '#sync/transport/outcome.ts'
import { queueOf } from '#schemas/change-queue.ts'
import { rxQueueStore } from '#sync/queue/queue-store.ts'
import { createSender } from '#sync/queue/sender.ts'
import type { Api, Reader, WriteCall } from '#sync/transport/api.ts'
import { createLocks } from '#sync/leadership/locks.ts'
import { createDecisions } from '#sync/queue/decisions.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { wish } from '#data/wishes.ts'
import { createClock } from '#lib/stamp.ts'
import { Disk, modelDb } from '../simulate/model-db.ts'

const START = Date.parse('2026-11-20T10:00:00+09:00')
const DAY_AND_A_BIT = 25 * 3_600_000

/** What becomes of a call: `lost` and `failed` after the CRM acted. */
type Fate = 'fine' | 'refused' | 'lost' | 'failed' | 'down'
type Step = { kind: 'save' } | { kind: 'send'; fates: Fate[] } | { kind: 'night' } | { kind: 'resend' }

const accepted = (body: unknown): Outcome => ({ kind: 'accepted', status: 200, body, total: null })

/** A CRM with one request, and what was said in the order it was told. */
function miniCrm() {
  let record: { id: string; inMethod: string } | null = null
  let number = 0
  let fates: Fate[] = []
  const act = ({ method, body }: WriteCall): Outcome => {
    const { inMethod } = body as { inMethod: string }
    if (method === 'POST' && record) return { kind: 'refused', status: 202, reasons: ['ec00030'] }
    record = { id: record?.id ?? `l${(number += 1)}`, inMethod }
    return method === 'POST' ? accepted({ id: record.id }) : accepted(null)
  }
  const reader: Reader = {
    async read(path) {
      if (!path.startsWith('request/'))
        return record ? accepted(record) : { kind: 'missing', status: 404, reasons: [] }
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
  return { api, holds: () => record?.inMethod ?? null, plan: (next: Fate[]) => void (fates = [...next]) }
}

function scene() {
  const disk = new Disk('phone', 'u1')
  const db = modelDb(disk, async (_, effect) => effect())
  const at = { now: START }
  const now = () => at.now
  const clock = createClock({ now, device: 'phone', memory: { get: () => null, set: () => undefined } })
  const store = rxQueueStore(db)
  const locks = createLocks(undefined)
  const crm = miniCrm()
  const patience = { elapsed: () => at.now, limitMs: 20_000, wake: () => undefined }
  const user = { userId: 'u1', loginUserId: 's1' }
  const sender = createSender({ store, api: crm.api, locks, clock, ...patience, ...user })
  const wishes = createDecisions({ store, locks, now })
  let ids = 0
  const saver = { db, clock, newId: () => `c${(ids += 1)}`, userId: 'u1', offline: false }
  const queue = async () => queueOf(await store.pending(), await store.ledger.read())
  return {
    at,
    crm,
    sender,
    queue,
    /** What a person does who opens what is there, types, and saves. */
    async save(inMethod: string) {
      const seen = disk.customerLocationChangeRequests.get('r1') ?? null
      await saveCustomerLocation(saver, 'r1', { parkingType: '1', parkingMethod: '', inMethod }, seen)
      at.now += 1_000
    },
    async resend() {
      for (const item of await queue())
        if (item.state === 'failed' || item.state === 'expired') await wish(db, item, 'resend')
      await wishes.grant([...disk.entries().values()])
    },
  }
}

const fate = fc.constantFrom<Fate>('fine', 'refused', 'lost', 'failed', 'down')
const step = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.constant({ kind: 'save' }),
  fc.record({ kind: fc.constant('send' as const), fates: fc.array(fate, { maxLength: 3 }) }),
  fc.constant({ kind: 'night' }),
  fc.constant({ kind: 'resend' }),
)

test('[OR1][OR2][SV2] the CRM holds what was saved last, once everything has been sent or sent again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
      const { at, crm, sender, queue, save, resend } = scene()
      let saves = 0
      const word = () => `言葉${(saves += 1)}`
      await save(word())
      for (const each of steps) {
        if (each.kind === 'save') await save(word())
        else if (each.kind === 'night') at.now += DAY_AND_A_BIT
        else if (each.kind === 'resend') await resend()
        else {
          crm.plan(each.fates)
          await sender.drain()
        }
      }
      crm.plan([])
      for (let times = 0; (await queue()).length > 0 && times < 5; times += 1) {
        await sender.drain()
        await resend()
      }
      expect(await queue()).toEqual([])
      expect(crm.holds()).toBe(`言葉${saves}`)
    }),
    { numRuns: 300 },
  )
})
