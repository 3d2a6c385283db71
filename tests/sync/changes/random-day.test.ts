/**
 * The simulation's idea on the real thing: RxDB on fake-indexeddb, its replication, the gate, HTTP and the demo CRM. A seed
 * decides what is saved, which calls fail, what another company edits, and when the app is closed; the moments are real ones.
 */
import { describe, expect, test } from 'vitest'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { askRecord, askRefresh } from '#data/fetch-requests/interests.ts'
import { randomOf, pickOf } from '../../simulate/random.ts'
import { until, type Device } from '../../support/device.ts'
import { COMPLETED, enter, leave, ledgerOf, todayScene, TODAY } from '../../support/replication.ts'
import { viewIn, viewsIn } from '../../support/stored-views.ts'

const app = todayScene()

const SEEDS = [1, 2, 5, 8, 12, 13, 16]
const STEPS = 16
const LIMIT_MS = 60_000
/** The waits between calls are this many times shorter than in the app. */
const HASTE = 20

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
  'theirs',
] as const
const THEIRS = /\n他社追記: .*$/

/** The saved changes that are neither in their record nor accepted by the CRM (SV3). */
async function lostOf(device: Device, saved: ReadonlySet<string>): Promise<string[]> {
  const records = await viewsIn(device.db, 'quickReports')
  const here = new Set(records.flatMap(({ changes }) => changes.map(({ id }) => id)))
  const accepted = (await ledgerOf(device)).filter(({ state }) => state === 'accepted')
  return [...saved].filter((id) => !here.has(id) && !accepted.some((row) => row.id === id))
}

async function changesOf(device: Device, { key }: RequestRecord): Promise<string[]> {
  const record = await viewIn(device.db, 'quickReports', key)
  return record.changes.map(({ id }) => id)
}

const refresh = async (device: Device) => askRefresh(device.db, (app.phone.now += 1_000))

/** Reports that another company has edited and for which this device has nothing unsent. */
async function writtenByOthers(device: Device): Promise<string[]> {
  const busy = (await device.queue()).map(({ record }) => record.requestId)
  const { quickReports } = await app.crm.inspect()
  const theirs = quickReports.filter(({ reportContent }) => THEIRS.test(reportContent ?? ''))
  return theirs.filter(({ requestId }) => !busy.includes(requestId)).map(({ id }) => id)
}

/** True if the device shows today's reports with an exit as the CRM has them. */
async function showsTheCrm(device: Device): Promise<boolean> {
  const { quickReports } = await app.crm.inspect()
  const docs = await viewsIn(device.db, 'quickReports')
  const shown = new Map(docs.map(({ serverId, server }) => [serverId, server]))
  return quickReports
    .filter(({ workingDate, outTime }) => workingDate === TODAY && outTime)
    .every(({ id, reportContent }) => (shown.get(id)?.reportContent ?? null) === (reportContent ?? null))
}

describe('[SV2][SV3][OR1][PL3] a random day on real RxDB', () => {
  test.each(SEEDS)(
    'seed %i: each save arrives once, in the order of saving; what others wrote stays, and arrives',
    async (seed) => {
      const random = randomOf(seed)
      app.phone.haste = HASTE
      let device = await app.open()
      const free = await app.freeRequests(device)
      const seeded = new Set((await app.crm.inspect()).quickReports.map(({ id }) => id))
      const theirs = new Set<string>()
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
          case 'theirs':
            await app.crm.actAsOtherCompany()
            for (const id of await writtenByOthers(device)) theirs.add(id)
            await refresh(device)
            break
          default:
            device.network.next(true)
        }
        await new Promise((resolve) => setTimeout(resolve, random() * 150))
        expect(await lostOf(device, saved)).toEqual([])
      }
      await app.crm.faults.clear()
      device.network.next(true)
      // 更新 while the queue is still being sent: a pull that RxDB drops then must be repeated without a request
      await refresh(device)
      for (const id of theirs) await askRecord(device.db, app.phone.now, 'quickReports', id)
      await until(async () => (await device.queue()).length === 0, LIMIT_MS)
      expect(saves.length).toBeGreaterThan(2)
      const { quickReports } = await app.crm.inspect()
      const stillTheirs = quickReports.filter(({ reportContent }) => THEIRS.test(reportContent ?? ''))
      expect(stillTheirs.map(({ id }) => id)).toEqual(expect.arrayContaining([...theirs]))
      const made = quickReports.filter(({ id }) => !seeded.has(id))
      const effects = made.flatMap(({ requestId, outTime, reportContent }) => [
        `POST ${requestId}`,
        ...(outTime ? [`PUT ${requestId} ${reportContent?.replace(THEIRS, '')}`] : []),
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
      await until(() => showsTheCrm(device), LIMIT_MS)
    },
    LIMIT_MS * 2,
  )
})
