/**
 * The simulation's idea on the real thing: RxDB on fake-indexeddb, its replication, the gate, HTTP and the demo CRM. A seed
 * decides what is saved, which calls fail, and when the app is closed; the moments are real ones.
 */
import { describe, expect, test } from 'vitest'
import type { RequestRecord } from '#schemas/request.ts'
import { randomOf, pickOf } from '../simulate/random.ts'
import { until, type Device } from '../support/device.ts'
import { COMPLETED, enter, leave, ledgerOf, replicationScene } from '../support/replication.ts'

const app = replicationScene()

const SEEDS = [1, 2, 3, 5, 6]
const STEPS = 16
const LIMIT_MS = 60_000

const FAULTS = [
  { kind: 'lostAnswer' },
  { kind: 'unreachable' },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 500, after: true },
  { kind: 'status', status: 401 },
  { kind: 'status', status: 429, headers: { 'Retry-After': '1' } },
  { kind: 'captivePortal' },
  { kind: 'delay', ms: 250 },
] as const
const ACTS = [
  'enter',
  'enter',
  'leave',
  'leave',
  'fault',
  'fault',
  'fault',
  'crash',
  'offline',
  'online',
] as const

/** Every change that was called saved: in its record, or accepted by the CRM (SV3). */
async function lostOf(device: Device, saved: ReadonlySet<string>): Promise<string[]> {
  const records = await device.db.quickReports.find().exec()
  const here = new Set(records.flatMap(({ changes }) => changes.map(({ id }) => id)))
  const accepted = (await ledgerOf(device)).filter(({ state }) => state === 'accepted')
  return [...saved].filter((id) => !here.has(id) && !accepted.some((row) => row.id === id))
}

async function changesOf(device: Device, { key }: RequestRecord): Promise<string[]> {
  const record = await device.db.quickReports.findOne(key).exec(true)
  return record.changes.map(({ id }) => id)
}

describe('[SV2][SV3][OR1] a random day on real RxDB', () => {
  test.each(SEEDS)(
    'seed %i: each save arrives once, in the order of saving',
    async (seed) => {
      const random = randomOf(seed)
      let device = await app.open()
      const free = await app.freeRequests(device)
      const inside: RequestRecord[] = []
      const saves: string[] = []
      const saved = new Set<string>()
      const kept = async (request: RequestRecord, what: string) => {
        saves.push(`${what} ${request.id}`)
        for (const id of await changesOf(device, request)) saved.add(id)
      }
      for (let step = 0; step < STEPS; step += 1) {
        const chance = random()
        switch (pickOf(ACTS, random())) {
          case 'enter': {
            const request = free.shift()
            if (!request) break
            await enter(device, request)
            await kept(request, 'POST')
            inside.push(request)
            break
          }
          case 'leave': {
            const request = pickOf(inside, chance)
            if (!request) break
            inside.splice(inside.indexOf(request), 1)
            await leave(device, [request])
            await kept(request, 'PUT')
            break
          }
          case 'fault':
            await app.crm.faults.add({
              path: '/quickReport/',
              count: 1,
              ...(pickOf(FAULTS, chance) ?? FAULTS[0]),
              id: `fault ${step}`,
            })
            break
          case 'crash':
            await app.close(device)
            device = await app.open()
            break
          case 'offline':
            device.network.next(false)
            break
          default:
            device.network.next(true)
        }
        await new Promise((resolve) => setTimeout(resolve, random() * 150))
        expect(await lostOf(device, saved)).toEqual([])
      }
      await app.crm.faults.clear()
      device.network.next(true)
      await until(async () => (await device.queue()).length === 0, LIMIT_MS)
      expect(saves.length).toBeGreaterThan(2)
      const { quickReports } = await app.crm.inspect()
      const made = quickReports.filter(({ origin }) => origin === 'call')
      const effects = made.flatMap(({ requestId, outTime, reportContent }) => [
        `POST ${requestId}`,
        ...(outTime ? [`PUT ${requestId} ${reportContent}`] : []),
      ])
      const expected = saves.map((save) =>
        save.startsWith('PUT') ? `${save} ${COMPLETED.reportContent}` : save,
      )
      expect(effects.toSorted()).toEqual(expected.toSorted())
      const requestOf = new Map(made.map(({ id, requestId }) => [id, requestId]))
      const calls = app.bodies.map((body) => {
        const [{ id } = { id: '' }] = (body['quickReports'] ?? []) as { id: string }[]
        return typeof body['requestId'] === 'string'
          ? `POST ${body['requestId']}`
          : `PUT ${requestOf.get(id)}`
      })
      expect([...new Set(calls)]).toEqual(saves)
    },
    LIMIT_MS * 2,
  )
})
