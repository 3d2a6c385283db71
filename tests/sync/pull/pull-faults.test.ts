/** The pull on real RxDB against a CRM, a clock and a disk that are not themselves (PL2, PL6, PL7, EX3, ST4). */
import { afterEach, expect, test, vi } from 'vitest'
import { askRefresh } from '#data/fetch-requests/interests.ts'
import { beforeEachWrite } from '../../support/disk-writes.ts'
import { until, type Device } from '../../support/device.ts'
import { enter, NOW, nth, replicationScene, statesOf, WINDOW_DAYS } from '../../support/replication.ts'
import { requestRecord } from '../../support/device-records.ts'
import { serveRows, windowRows } from '../../support/search-pages.ts'

const app = replicationScene()
afterEach(() => void vi.restoreAllMocks())

const HOUR = 3_600_000
const LIMIT_MS = 60_000
const keysOn = async (device: Device) => (await device.db.requests.find().exec()).map(({ key }) => key)
const searches = () => app.crm.calls.filter(({ path }) => path.includes('request/search'))

async function openFull(): Promise<Device> {
  const device = await app.open()
  const { length } = await windowRows(app)
  await until(async () => (await keysOn(device)).length === length, LIMIT_MS)
  return device
}
async function refresh(device: Device) {
  const before = searches().length
  app.phone.now += 1_000
  await askRefresh(device.db, app.phone.now)
  await until(() => searches().length > before && searches().every(({ status }) => status !== 0))
}
/** Changes what the CRM answers to a search. */
function changeSearch(change: (request: Request, response: () => Promise<Response>) => Promise<Response>) {
  const { fetch } = app.crm
  vi.spyOn(app.crm, 'fetch').mockImplementation((request) =>
    request.url.includes('request/search') ? change(request, () => fetch(request)) : fetch(request),
  )
}
/** Every answer says the CRM's time. */
function sayTime() {
  const { fetch } = app.crm
  vi.spyOn(app.crm, 'fetch').mockImplementation(async (request) => {
    const response = await fetch(request)
    response.headers.set('Date', new Date(app.crmNow).toUTCString())
    return response
  })
}

/** What was confirmed long ago leaves at the next look: after that, the look was there. */
async function untilLooked(device: Device) {
  const old = new Date(NOW - 240 * HOUR).toISOString()
  const canary = requestRecord(`canary-${performance.now()}`, { confirmedAt: old })
  await device.db.requests.insert(canary)
  await until(async () => (await device.db.requests.findOne(canary.key).exec()) === null, LIMIT_MS)
}

test(
  '[EX3] the clock three days ahead without signal, and back: nothing is lost',
  async () => {
    const device = await openFull()
    const before = await keysOn(device)
    device.network.next(false)
    app.phone.now += 72 * HOUR
    await untilLooked(device)
    expect((await keysOn(device)).toSorted()).toEqual(before.toSorted())
    await app.close(device)
    const again = await app.open({ online: false })
    await untilLooked(again)
    app.phone.now -= 72 * HOUR
    expect((await keysOn(again)).toSorted()).toEqual(before.toSorted())
  },
  LIMIT_MS * 2,
)

test(
  '[EX3a][EX2] what waits is not called expired because a clock was set, and goes with signal',
  async () => {
    sayTime()
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    device.network.next(false)
    await enter(device, request)
    await app.close(device)
    app.phone.now += 72 * HOUR
    const again = await app.open({ online: false })
    again.network.next(true)
    await app.sent(again)
    expect(await app.reports(request.id)).toHaveLength(1)
  },
  LIMIT_MS,
)

test(
  '[EX3][EX2] what waited for three days that were is expired: the CRM says what time it is first',
  async () => {
    sayTime()
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    device.network.next(false)
    await enter(device, request)
    await app.close(device)
    app.phone.now += 72 * HOUR
    app.crmNow += 72 * HOUR
    const again = await app.open({ online: false })
    again.network.next(true)
    await until(async () => (await statesOf(again))[0] === 'expired')
    expect(app.writes()).toEqual([])
  },
  LIMIT_MS,
)

test(
  '[PL6] a window that is empty all of a sudden removes nothing, however often it is asked for at once',
  async () => {
    const device = await openFull()
    const before = await keysOn(device)
    await serveRows(app, [])
    await refresh(device)
    await refresh(device)
    await refresh(device)
    const isTold = () => device.problems.some((problem) => problem.includes('are gone'))
    await until(async () => isTold() || (await keysOn(device)).length < before.length)
    expect((await keysOn(device)).toSorted()).toEqual(before.toSorted())
  },
  LIMIT_MS,
)

test(
  '[PL7] a CRM that knows no offset and says no total: two pages, told once, nothing is removed',
  async () => {
    app.daysAhead = WINDOW_DAYS
    const device = await openFull()
    const before = await keysOn(device)
    const firstPage = (await windowRows(app)).slice(0, 50)
    changeSearch(async () => Response.json(firstPage))
    let calls = 0
    app.phone.now += 1_000
    await askRefresh(device.db, app.phone.now)
    await until(async () => {
      const [interest] = await device.db.interests.find({ selector: { kind: 'refresh' } }).exec()
      calls = vi
        .mocked(app.crm.fetch)
        .mock.calls.filter(([request]) => request.url.includes('request/search')).length
      return interest?.state === 'answered' || calls > 20
    }, LIMIT_MS)
    expect(calls).toBe(2)
    expect(device.problems.filter((problem) => problem.includes('without an end'))).toHaveLength(1)
    expect((await keysOn(device)).toSorted()).toEqual(before.toSorted())
  },
  LIMIT_MS,
)

test(
  '[PL2] one row nested 100,000 deep: the others are stored',
  async () => {
    const rows = await windowRows(app)
    const [first, ...others] = rows.map((row) => JSON.stringify(row))
    const deep = `${first?.slice(0, -1)},"situation":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    changeSearch(async (request) => {
      const offset = Number(new URL(request.url).searchParams.get('offset'))
      const page = [deep, ...others].slice(offset - 1, offset + 49)
      return new Response(`[${page.join(',')}]`, {
        headers: { 'content-type': 'application/json', 'x-total-count': String(rows.length) },
      })
    })
    const device = await app.open()
    await until(async () => (await keysOn(device)).length === others.length, LIMIT_MS)
    expect(device.problems.filter((problem) => problem.startsWith('request/search'))).toHaveLength(1)
  },
  LIMIT_MS,
)

test(
  '[PL11a] texts and rows that are too many: the rest is stored, and people are told once',
  async () => {
    const rows = await windowRows(app)
    const all = rows.map((row) => ({ ...row, situation: '長い。'.repeat(10_000) }))
    changeSearch(async (request) => {
      const offset = Number(new URL(request.url).searchParams.get('offset'))
      return Response.json(all.slice(offset - 1, offset + 49), {
        headers: { 'x-total-count': String(rows.length) },
      })
    })
    const device = await app.open()
    await until(async () => (await keysOn(device)).length === rows.length, LIMIT_MS)
    expect(device.problems.some((problem) => problem.includes('left out'))).toBe(true)
    expect(device.leftOut).toEqual(['told'])
  },
  LIMIT_MS,
)

test(
  '[ST4a][PL10] a full disk: the CRM is not asked again and again, it is told once, and all comes when there is room',
  async () => {
    app.daysAhead = 2
    const device = await openFull()
    const read = () => device.db.requests.find().exec()
    await until(async () => (await read()).every(({ detail }) => detail !== null), LIMIT_MS)
    const far = nth(
      (await read()).filter(({ workingDate }) => workingDate === '2026-11-22'),
      0,
    )
    await far.incrementalPatch({ detailConfirmedAt: '2026-11-10T00:00:00.000Z' })
    await app.close(device)
    let full = true
    beforeEachWrite((_, { transaction }) => {
      const { name } = transaction.db
      if (full && /requests|quickReports|Reports|lookups|Measures|Areas|Requests/.test(name))
        throw new DOMException('no room', 'QuotaExceededError')
    })
    app.phone.now += 2 * HOUR
    app.crmNow += 2 * HOUR
    const again = await app.open()
    await until(() => again.problems.some((problem) => problem.includes('QuotaExceededError')))
    const before = app.crm.calls.length
    const begun = performance.now()
    await until(() => performance.now() - begun > 5_000)
    const asked = app.crm.calls.slice(before).map(({ method, path }) => `${method} ${path}`)
    expect(asked.filter((call, at) => asked.indexOf(call) < at)).toEqual([])
    expect(again.problems.filter((problem) => problem.includes('QuotaExceededError'))).toHaveLength(1)
    expect(again.full).toEqual([true])
    full = false
    const fresh = new Date(app.phone.now - HOUR).toISOString()
    await until(
      async () => (await again.db.requests.find().exec()).every(({ confirmedAt }) => confirmedAt > fresh),
      LIMIT_MS,
    )
    await until(() => again.full.length === 2)
    expect(again.full).toEqual([true, false])
    // near details are read anew at once, and what only confirms those of later days at its pace (PL10)
    const isRead = () =>
      app.crm.calls.slice(before).some(({ path }) => path.includes(`/spa/request/${far.id}?`))
    await app.quiet(1_000)
    expect(isRead()).toBe(false)
    await refresh(again)
    await until(isRead, LIMIT_MS)
  },
  LIMIT_MS * 2,
)

test(
  '[ST4][trap 17] RxDB’s own checkpoint refused by a full disk: nobody is told of a lost save, and when there is room all is read anew',
  async () => {
    const device = await openFull()
    let [full, refused] = [true, 0]
    beforeEachWrite((_, { transaction }) => {
      if (!full || !transaction.db.name.includes('rx-replication-meta')) return
      refused++
      throw new DOMException('no room', 'QuotaExceededError')
    })
    const confirmedAgain = async () => {
      // The CRM's clock stays: a token that it has just renewed would be too old for the call that needs it.
      app.phone.now += 2 * HOUR
      const fresh = new Date(app.phone.now - HOUR).toISOString()
      await refresh(device)
      return async () => (await device.db.requests.find().exec()).every((row) => row.confirmedAt > fresh)
    }
    await confirmedAgain()
    await until(() => refused > 0, LIMIT_MS)
    full = false
    // Within the wait for room.
    await until(await confirmedAgain(), LIMIT_MS)
    // what nobody catches, the app would call a save that was lost; the run itself fails of it. What another replication was
    // refused before is heard of later: it may be told once more, and is over as well
    await until(() => device.full.at(-1) === false, LIMIT_MS)
    expect(device.full[0]).toBe(true)
  },
  LIMIT_MS * 2,
)

test(
  '[ST4][trap 20] RxDB’s own checkpoint refused by a full disk is not written again and again',
  async () => {
    const device = await openFull()
    /** How often each checkpoint was refused: what goes on brings new ones. */
    const refused = new Map<string, number>()
    beforeEachWrite(({ itemId, checkpointData }, { transaction }) => {
      const store = transaction.db.name
      if (!store.includes('rx-replication-meta')) return
      const which = JSON.stringify([store, itemId, checkpointData])
      refused.set(which, (refused.get(which) ?? 0) + 1)
      throw new DOMException('no room', 'QuotaExceededError')
    })
    await refresh(device)
    await until(() => refused.size > 0, LIMIT_MS)
    const begun = performance.now()
    await until(() => performance.now() - begun > 3_000)
    expect(Math.max(...refused.values())).toBeLessThan(20)
  },
  LIMIT_MS,
)
