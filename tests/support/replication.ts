/** One demo CRM behind MSW and one phone for each replication test; everything is closed after it. */
import { afterEach, beforeEach } from 'vitest'
import { createDemoCrm, type DemoCrm, type DemoCrmOptions } from '#demo-crm/demo-crm.ts'
import { createMemoryStore } from '#demo-crm/world/store.ts'
import type { SendFacts } from '#schemas/change.ts'
import { openChanges } from '#sync/changes/change-store.ts'
import { viewOf } from '#data/changes/record-views.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import { saveReport } from '#features/quick-report/commands.ts'
import { atRest } from './at-rest.ts'
import { ENV, newPhone, ORIGIN, until, type Device, type Phone } from './device.ts'
import { startMswHost, type MswHost } from './msw-host.ts'
import { rowsIn } from './stored-views.ts'

/** Friday 2026-11-20, 10:00 in Tokyo. */
export const NOW = Date.parse('2026-11-20T10:00:00+09:00')
export const TODAY = '2026-11-20'
export const IN_TIME = '2026-11-20T08:56:00+09:00'
export const OUT_TIME = '2026-11-20T11:42:00+09:00'
export const COMPLETED = {
  outTime: OUT_TIME,
  type: '1',
  reason1: null,
  reason2: null,
  reportContent: '完了しました',
}

/** How far the window on the device reaches ahead, in days. */
export const WINDOW_DAYS = 14
/** Enough for most tests of the pull: all fourteen take a device seconds to read. */
const FEW_DAYS = 2

export interface Replication {
  crm: DemoCrm
  /** How many days after today the office has planned. */
  daysAhead: number
  crmNow: number
  phone: Phone
  /** Opens the app on the phone, signed in as demo6 unless someone is already. */
  open(options?: Parameters<Phone['open']>[0]): Promise<Device>
  close(device: Device): Promise<void>
  /** Today's requests that nobody has entered, once they are on the device. */
  freeRequests(device: Device): Promise<RequestRecord[]>
  /** What the CRM holds for a request today. */
  reports(requestId: string): Promise<Awaited<ReturnType<DemoCrm['inspect']>>['quickReports']>
  /** The writing calls whose path has this, on quick reports where nothing is said, in order of arrival. */
  writes(path?: string): { method: string; path: string; acted: boolean; status: number; user: string }[]
  /** The bodies of the writing calls on quick reports. */
  bodies: Record<string, unknown>[]
  /** All writing calls with their bodies, `POST safety/`. */
  sentBodies: { call: string; body: Record<string, unknown> }[]
  /** Until nothing of the device is unsent. */
  sent(device: Device): Promise<unknown>
  /** Until every call is answered, and no further one comes of it. @param timersMs as of `atRest` */
  quiet(timersMs?: number): Promise<void>
}

interface SceneOptions extends Pick<DemoCrmOptions, 'timesInZ' | 'etags'> {
  /** How many days after today the office has planned. */
  days?: number
}

/** Nothing is planned after today: half of the calls, for tests of what is saved and sent. */
export const todayScene = (options: SceneOptions = {}) => replicationScene({ days: 0, ...options })

/** Call at the top of a test file, or of a part of it that wants another CRM. */
export function replicationScene({ days = FEW_DAYS, ...options }: SceneOptions = {}): Replication {
  const opened: Device[] = []
  let host: MswHost
  const test = {} as Replication

  beforeEach(() => {
    test.crmNow = NOW
    test.daysAhead = days
    const [now, daysAhead] = [() => test.crmNow, () => test.daysAhead]
    test.crm = createDemoCrm({ env: ENV, store: createMemoryStore(), now, daysAhead, ...options })
    test.phone = newPhone(NOW)
    test.bodies = []
    test.sentBodies = []
    host = startMswHost({ ...test.crm, fetch: keepingBodies(test) }, { origin: ORIGIN })
  })
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((device) => device.close()))
    host.stop()
  })

  return Object.assign(test, {
    async open(options) {
      if (!test.phone.session.value) await test.phone.signIn()
      const device = await test.phone.open(options)
      opened.push(device)
      return device
    },
    async close(device) {
      opened.splice(opened.indexOf(device), 1)
      await device.close()
    },
    freeRequests: (device) =>
      until(async () => {
        const docs = await device.db.requests.find({ selector: { workingDate: TODAY } }).exec()
        const free = docs.filter((doc) => !doc.quickReport)
        return free.length >= 4 && free.map((doc) => doc.toMutableJSON())
      }),
    async reports(requestId) {
      const { quickReports } = await test.crm.inspect()
      return quickReports.filter((report) => report.requestId === requestId && report.workingDate === TODAY)
    },
    writes: (part = '/quickReport/') =>
      test.crm.calls.filter(({ method, path }) => method !== 'GET' && path.includes(part)),
    sent: (device) =>
      until(async () => {
        const queue = await device.queue()
        return queue.length === 0 && (await openChanges(device.db)).length === 0
      }),
    async quiet(timersMs) {
      const { calls } = test.crm
      for (let known = -1; known !== calls.length;) {
        await until(() => calls.every(({ status }) => status !== 0))
        known = calls.length
        await atRest(timersMs)
      }
    },
  } satisfies Partial<Replication>)
}

/** Reads the body of every writing call on its way to the CRM. */
const keepingBodies = (test: Replication) => async (request: Request) => {
  const [, path] = new URL(request.url).pathname.split('/spa/')
  if (request.method !== 'GET' && path) {
    const body: Record<string, unknown> = await request.clone().json()
    test.sentBodies.push({ call: `${request.method} ${path}`, body })
    if (path.startsWith('quickReport/')) test.bodies.push(body)
  }
  return test.crm.fetch(request)
}

/** The n-th of some rows that a test relies on. */
export function nth<T>(rows: readonly T[], index: number): T {
  const row = rows[index]
  if (row === undefined) throw new Error(`no row ${index} of ${rows.length}`)
  return row
}

/** 入館登録 at 08:56. */
export const enter = (device: Device, request: RequestRecord) => saveEntry(device.saver(), [request], IN_TIME)

/** 退館報告 of these requests, as one save. */
export async function leave(
  device: Device,
  requests: RequestRecord[],
  content: Partial<typeof COMPLETED> = {},
): Promise<void> {
  const found = await Promise.all(requests.map(({ key }) => viewOf(device.db, 'quickReports', key)))
  const records = found.filter((record) => record !== null)
  await saveReport(device.saver(), records, 'exit', { ...COMPLETED, ...content })
}

/** What 送信状況 would show. */
export const statesOf = async (device: Device) => (await device.queue()).map(({ state }) => state)

/** How far everything is on its way: changes of records, and photos. */
export const ledgerOf = async ({ db }: Device): Promise<SendFacts[]> =>
  (await rowsIn(db)).map((doc) => doc.toJSON() as SendFacts)
