/**
 * A random week of a shared phone on real RxDB: saves, drafts and photos without signal, hours that pass, crashes, logouts,
 * another user, a CRM that has nothing any more. Three days later nothing of the CRM is left, of whichever user, and all that
 * was not sent is there.
 */
import { afterAll, describe, expect, test, vi } from 'vitest'
import { viewOf } from '#data/changes/record-views.ts'
import { leaveUnsentOnly } from '#data/user-stores/user-stores.ts'
import { visitIn } from '#schemas/resources/visit-key.ts'
import { storeValues } from '#data/drafts/drafts.ts'
import { tokyoDay } from '#lib/time/tokyo-time.ts'
import { pushCollections } from '#schemas/collections/push-collections.ts'
import { pickOf, randomOf } from '../../simulate/random.ts'
import { until, type Device } from '../../support/device.ts'
import { photoScene, take } from '../../support/photos.ts'
import { enter } from '../../support/replication.ts'
import { isOpen, recordCases } from '../../support/record-saves.ts'
import { dumpStorage, type StorageDump } from '../../support/storage-dump.ts'
import { viewsIn } from '../../support/stored-views.ts'

// RxDB's own time never goes back, so it must not see the machine's time first
vi.hoisted(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-20T10:00:00+09:00') }))

const { app } = photoScene()
afterAll(() => void vi.useRealTimers())

const HOUR = 3_600_000
/** Each seed's week begins this many hours after the previous one. */
const WEEKS_APART = 3 * 7 * 24
/** Each seed takes half a minute; `npm run test:slow` runs more of them. */
const SEEDS = process.env['SLOW'] ? [1, 2, 3, 4, 5, 6] : [2]
const STEPS = 7
const LIMIT_MS = 90_000
const WAIT_MS = 30_000
const ACTS = ['save', 'record', 'photo', 'draft', 'hours', 'crash', 'leave', 'forgets'] as const
const USERS = ['demo6', 'demo5']
const TYPED = '打ちかけの内容'

const storage = () => app.phone.storage.indexedDB
const onDisk = async () => JSON.parse(await dumpStorage(storage())) as StorageDump

/** Stores the running time, as the app does every half minute (`trusted-clock.ts`). */
function keepTime(ms: number) {
  const { memory } = app.phone.storage
  const kept = memory.get('time')
  if (kept === undefined) return
  type Kept = { now: number; crmTime: number | null; marks?: { run: number } }
  const time = JSON.parse(kept) as Kept
  const crmTime = time.crmTime === null ? null : time.crmTime + ms
  const marks = { ...time.marks, run: (time.marks?.run ?? 0) + ms }
  memory.set('time', JSON.stringify({ ...time, now: time.now + ms, crmTime, marks }))
}

/** Lets these hours pass by all clocks, also RxDB's, while the app runs. */
function pass(hours: number) {
  app.phone.now += hours * HOUR
  app.phone.ran += hours * HOUR
  app.crmNow += hours * HOUR
  keepTime(hours * HOUR)
  vi.useFakeTimers({ toFake: ['Date'], now: app.phone.now })
}

const dayIn = (days: number) => tokyoDay(new Date(app.phone.now + days * 24 * HOUR).toISOString())

const forgets = () =>
  app.crm.faults.add({
    id: 'forgets',
    kind: 'status',
    status: 200,
    body: [],
    headers: { 'x-total-count': '0' },
    path: 'request/search',
    count: 'always',
  })

interface Pushed {
  requestId: string
  changes: { id: string; fields: object }[]
}

const pushedOf = async ({ db }: Device): Promise<Pushed[]> =>
  (await Promise.all(pushCollections.map((name) => viewsIn(db, name)))).flat()

/** The unsent changes and photos: id and content. */
async function unsentOf(device: Device): Promise<string[]> {
  const changes = (await pushedOf(device)).flatMap((record) => record.changes)
  const photos = await device.db.photos.find({ selector: { unsent: 'yes' } }).exec()
  const kept = new Set(await device.bytes.keys(Infinity))
  return [
    ...changes.map(({ id, fields }) => `${id} ${JSON.stringify(fields)}`),
    ...photos.map(({ key }) => `${key} ${kept.has(key) ? 'with its bytes' : 'without'}`),
  ].toSorted()
}

/** Keys of the requests that unsent work depends on. */
const parentsOf = async (device: Device) =>
  (await pushedOf(device)).flatMap(({ requestId, changes }) => (changes.length > 0 ? [requestId] : []))

/** Opens the app as this user. @param online false: saves stay unsent */
async function openAs(user: string, online: boolean): Promise<Device> {
  await app.phone.signIn(user)
  const device = await app.open({ online })
  await until(async () => !online || (await device.db.requests.count().exec()) > 0, WAIT_MS)
  device.network.next(false)
  return device
}

/** Carries out one act of a user on the phone. */
async function act(name: (typeof ACTS)[number], device: Device, chance: number, step: number): Promise<void> {
  const requests = (await device.db.requests.find().exec()).map((doc) => doc.toMutableJSON())
  const request = pickOf(requests.filter(isOpen), chance)
  switch (name) {
    case 'save':
      if (request && !(await viewOf(device.db, 'quickReports', request.key))) await enter(device, request)
      return
    case 'record':
      if (request) await pickOf(recordCases, chance)?.save(device, request)
      return
    case 'photo':
      await take(device, `IMG_${step}.jpg`, step)
      return
    case 'draft':
      await storeValues(device.db, `emergencyReport/add/${request?.key ?? 'r-1_2026-11-20'}`, {
        text: TYPED,
      })
      return
    case 'hours':
      return pass(1 + Math.floor(chance * 30))
    default:
      return
  }
}

describe('[EX1][EX4][EX6][SV3] a random week of a shared phone', () => {
  test.each(SEEDS)(
    'seed %i: three days later nothing of the CRM is left, and all that is unsent is',
    async (seed) => {
      pass(SEEDS.indexOf(seed) * WEEKS_APART)
      const random = randomOf(seed)
      const unsent = new Map<string, string[]>()
      let at = 0
      let device = await openAs('demo6', true)
      const { requests } = await app.crm.inspect()
      const seeded = requests(dayIn(-30), dayIn(60))
      const park = async () => {
        unsent.set(USERS[at] ?? '', await unsentOf(device))
        await app.close(device)
      }
      for (let step = 0; step < STEPS; step += 1) {
        const name = pickOf(ACTS, random()) ?? 'save'
        await act(name, device, random(), step)
        if (name === 'forgets') await forgets()
        if (name === 'crash') {
          await park()
          device = await openAs(USERS[at] ?? '', false)
        }
        if (name === 'leave') {
          const left = device.db.name
          await park()
          await leaveUnsentOnly(storage(), left, {
            drafts: Date.now() - 24 * HOUR,
            bytes: app.phone.now - HOUR,
          })
          at = 1 - at
          device = await openAs(USERS[at] ?? '', false)
        }
      }
      await park()
      await forgets()
      for (const user of unsent.keys()) {
        // by a clock that is borne out, a round of tidying, and a minute after something was deleted; the clock goes on a
        // little, or what was typed is as old as the first look at it
        pass(1 / 60)
        device = await openAs(user, false)
        const drafts = await device.db.drafts.find().exec()
        const drafted = drafts.flatMap(({ key }) => visitIn(key.split('/').at(-1) ?? '')?.requestId ?? [])
        pass(72)
        const parents = await parentsOf(device)
        await none(() => requestsBut([...parents, ...drafted]))
        await reopened(user)
        // a request stays as long as its draft
        await none(async () => (await device.db.drafts.find().exec()).map(({ key }) => key))
        await none(() => requestsBut(parents))
        await none(async () => (await device.db.pastReports.find().exec()).map(({ key }) => key))
        await reopened(user)
        const codes = seeded.flatMap(({ id, requestCode }) => (parents.includes(id) ? [] : requestCode))
        await none(async () => {
          const own = (await onDisk()).filter(({ name }) => name.includes(device.db.name))
          const texts = own.map(({ name, stores }) => ({ name, text: JSON.stringify(stores) }))
          return texts.flatMap(({ name, text }) =>
            [TYPED, ...codes].flatMap((word) => (text.includes(word) ? `${name} ${word}` : [])),
          )
        })
        expect([user, await unsentOf(device)]).toEqual([user, unsent.get(user)])
        await app.close(device)
      }

      async function requestsBut(held: readonly string[]): Promise<string[]> {
        const here = await device.db.requests.find().exec()
        return here.flatMap(({ id, key }) => (held.includes(id) ? [] : key))
      }

      async function reopened(user: string) {
        await app.close(device)
        pass(2)
        device = await openAs(user, false)
      }
    },
    LIMIT_MS,
  )
})

/** Resolves once nothing is left. */
const none = (left: () => Promise<string[]>) =>
  until(async () => (await left()).length === 0, WAIT_MS).catch(async () => expect(await left()).toEqual([]))
