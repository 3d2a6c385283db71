/** A CRM that is slow, or fails for some lists: what is on the glass comes first, and nothing starves (RULES PL8, PL9, OR4). */
import { firstValueFrom } from 'rxjs'
import { expect, test } from 'vitest'
import {
  askDetail,
  askList,
  askRefresh,
  detailInterest,
  interest$,
  listInterest,
} from '#data/fetch-requests/interests.ts'
import { pickOf, randomOf } from '../../simulate/random.ts'
import { atRest } from '../../support/at-rest.ts'
import { until, type Device } from '../../support/device.ts'
import { enter, leave, nth, replicationScene } from '../../support/replication.ts'
import { viewIn } from '../../support/stored-views.ts'

const app = replicationScene()

const stateOf = async ({ db }: Device, key: string) => (await firstValueFrom(interest$(db, key)))?.state
const emergencyKey = (id: string) => listInterest('emergencyReports', id)
const ask = (device: Device, id: string) =>
  askList(device.db, app.phone.now, { collection: 'emergencyReports', owner: id, requestId: id })

const emergencyPath = (id: string) => `emergencyReport/request/${id}?`
const callsOf = (part: string) => app.crm.calls.filter(({ path }) => path.includes(part))

/** From now on the answers to these reads come when the test says so. */
function held(isHeld: (url: string) => boolean) {
  const { fetch } = app.crm
  const waiting: { url: string; go: () => void }[] = []
  const left: string[] = []
  app.crm.fetch = async (request) => {
    const { url, method } = request
    if (method === 'GET') left.push(url)
    if (method === 'GET' && isHeld(url)) await new Promise<void>((go) => waiting.push({ url, go }))
    return fetch(request)
  }
  return {
    /** Every read, in the order in which they left the device. */
    left,
    underWay: () => waiting.map(({ url }) => url),
    /** The answer to one read comes. */
    answer(part: string) {
      const at = waiting.findIndex(({ url }) => url.includes(part))
      if (at >= 0) waiting.splice(at, 1)[0]?.go()
    },
    end() {
      app.crm.fetch = fetch
      for (const { go } of waiting.splice(0)) go()
    },
  }
}

/** Reads that are under way, once no other comes. */
async function still(reads: () => readonly unknown[]): Promise<number> {
  let seen = -1
  return until(async () => {
    const same = seen === reads().length && seen > 0
    seen = reads().length
    await atRest(250)
    return same && seen
  })
}

const isBehindWindow = (url: string) => url.includes('/spa/') && !url.includes('request/search')

test('[PL9] what a screen asks for leaves before any other read, and is there while those wait', async () => {
  app.phone.timeoutMs = 20_000
  const slow = held(isBehindWindow)
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 2)
  await still(slow.underWay)
  const before = slow.left.length
  await ask(device, request.id)
  await until(() => slow.left.length > before)
  expect(slow.left[before]).toContain(emergencyPath(request.id))
  slow.answer(emergencyPath(request.id))
  await until(async () => (await stateOf(device, emergencyKey(request.id))) === 'answered')
  // the same of a request
  await still(slow.underWay)
  const next = slow.left.length
  await askDetail(device.db, app.phone.now, request.id, request.workingDate)
  const detail = `spa/request/${request.id}?`
  await until(() => slow.left.length > next)
  expect(slow.left[next]).toContain(detail)
  slow.answer(detail)
  const key = detailInterest(request.id, request.workingDate)
  await until(async () => (await stateOf(device, key)) === 'answered')
  await until(async () => (await device.request(request.key)).detailConfirmedAt !== '')
  slow.end()
}, 60_000)

test('[PL9] what nobody waits for never takes all places', async () => {
  app.phone.timeoutMs = 20_000
  const slow = held(isBehindWindow)
  await app.open()
  expect(await still(slow.underWay)).toBe(2)
  slow.end()
}, 60_000)

test('[OR4] the read before a PUT does not wait for what is read for nobody', async () => {
  app.phone.timeoutMs = 20_000
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await enter(device, request)
  await app.sent(device)
  const { serverId } = await viewIn(device.db, 'quickReports', request.key)
  const slow = held((url) => isBehindWindow(url) && !url.includes(serverId))
  app.phone.now += 13 * 3_600_000
  device.network.next(false)
  device.network.next(true)
  await still(slow.underWay)
  await leave(device, [request])
  await until(() => app.writes().some(({ method, status }) => method === 'PUT' && status === 204))
  slow.end()
}, 60_000)

test('[PL8b] two lists that always answer 500 hold up no other, and a screen is told of them', async () => {
  const first = await app.open()
  const [one, two, other] = (await app.freeRequests(first)).map(({ id }) => id)
  await app.close(first)
  app.phone.now += 13 * 3_600_000
  const path = `emergencyReport/request/(${one}|${two})\\?`
  await app.crm.faults.add({ id: 'poison', kind: 'status', status: 500, path, count: 'always' })
  const device = await app.open()
  await until(() => callsOf('emergencyReport/request/').length > 12, 40_000)
  await ask(device, other ?? '')
  await ask(device, one ?? '')
  await until(async () => (await stateOf(device, emergencyKey(other ?? ''))) === 'answered')
  await until(async () => (await stateOf(device, emergencyKey(one ?? ''))) === 'failed')
  await app.crm.faults.clear()
  await until(async () => (await stateOf(device, emergencyKey(one ?? ''))) === 'answered', 30_000)
}, 120_000)

test.each([3, 7])(
  '[PL8] seed %i: whichever lists and requests fail, all others are read, and few calls go to those',
  async (seed) => {
    const random = randomOf(seed)
    const scout = await app.open()
    const ids = (await app.freeRequests(scout)).map(({ id }) => id)
    await app.close(scout)
    app.phone.now += 13 * 3_600_000
    const some = () => [...new Set([0, 1, 2, 3].map(() => pickOf(ids, random()) ?? ''))]
    const lists = ids.slice(0, 2).concat(some())
    const paths = [
      ...new Set([
        ...lists.map((id) => `emergencyReport/request/${id}\\?`),
        ...some().map((id) => `spa/request/${id}\\?`),
      ]),
    ]
    for (const path of paths)
      await app.crm.faults.add({ id: path, kind: 'status', status: 500, path, count: 'always' })
    const before = app.crm.calls.length
    await app.open()
    const answeredSince = (path: string) =>
      app.crm.calls.slice(before).some((call) => call.path.includes(path) && call.status === 200)
    const healthy = ids.flatMap((id) =>
      ['emergencyReport/request/', 'spa/request/'].flatMap((kind) =>
        paths.includes(`${kind}${id}\\?`) ? [] : [`${kind}${id}?`],
      ),
    )
    await until(() => healthy.every(answeredSince), 60_000)
    const others = app.crm.calls.length - before
    const lost = app.crm.calls.slice(before).filter(({ status }) => status === 500).length
    expect(lost).toBeLessThan(others / 2)
  },
  120_000,
)

test('[PL9] details that come late are not laid over what a row has said since', async () => {
  app.phone.timeoutMs = 20_000
  const device = await app.open()
  const { id, workingDate, key } = nth(await app.freeRequests(device), 0)
  await until(async () => (await device.request(key)).detail !== null)
  const said = { situation: '前' }
  let go = () => {}
  const late = new Promise<void>((resolve) => (go = resolve))
  let isHeld = true
  const single = `spa/request/${id}?`
  app.phone.between = async (call) => {
    const { situation } = said
    const isLate = isHeld && call.url.includes(single)
    const response = await fetch(call)
    if (!call.url.includes('request/search') && !call.url.includes(single)) return response
    if (isLate) await late
    const body = (await response.json()) as object
    const isIt = (row: object) => Reflect.get(row, 'id') === id
    const changed = (row: object) => (isIt(row) ? { ...row, situation } : row)
    return Response.json(Array.isArray(body) ? body.map(changed) : changed(body), response)
  }
  const { length } = callsOf(single)
  await askDetail(device.db, app.phone.now, id, workingDate)
  await until(() => callsOf(single).length > length)
  said.situation = '後'
  isHeld = false
  await askRefresh(device.db, (app.phone.now += 1_000))
  const situation = async () => (await device.request(key)).situation
  await until(async () => (await situation()) === '後')
  const { confirmedAt } = await device.request(key)
  const seen = new Set<string | null>()
  const watching = device.db.requests.findOne(key).$.subscribe((doc) => seen.add(doc?.situation ?? null))
  go()
  await until(async () => (await stateOf(device, detailInterest(id, workingDate))) === 'answered')
  await still(() => app.crm.calls)
  watching.unsubscribe()
  expect([...seen]).toEqual(['後'])
  const now = await device.request(key)
  expect(now.detail).not.toBeNull()
  expect(now.confirmedAt >= confirmedAt).toBe(true)
})
