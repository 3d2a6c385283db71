/** Makes a device: a user who is signed in, with requests, their details and some entries, as the app itself keeps them. */
import { createStore, setMany } from 'idb-keyval'
import { visitKey } from '#schemas/resources/visit-key.ts'
import { PAGE_SIZE } from '#schemas/limits.ts'
import { prefetchKeys } from '#schemas/collections/prefetch.ts'
import type { QuickReportRecord } from '#schemas/resources/quick-report.ts'
import { requestWire, type RequestRecord } from '#schemas/resources/request.ts'
import type { Session } from '#schemas/device/session.ts'
import { toRequestRecord } from '#sync/wire/request.ts'
import { openKeys } from '#app/session/state/keys.ts'
import { openSealer } from '#app/session/open-sealed.ts'
import { openSessions } from '#app/session/state/session-store.ts'
import { databaseName } from '#data/database/database-name.ts'
import { openDatabase } from '#data/database/database.ts'
import { sealedRows } from '#data/encryption/sealed-rows.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { detailOfRow, requestRows } from './rows.mjs'
import { seedRest, type Rest } from './seed-rest.ts'

const SESSION: Session = {
  userName: 'bench',
  expired: false,
  accessToken: 'a',
  refreshToken: 'r',
  userInfo: {
    id: 'bench',
    supplierStaffId: 'bench',
    supplierId: 'bench',
    userFlag: 6,
    loginUserName: 'bench',
  },
}
/** How many requests of a device, however many it holds, are marked as usable offline. */
const USABLE = 500

export interface Seeded {
  database: string
  /** CRM ids of reports that are entered and not left, of today. */
  entered: string[]
}

/**
 * @param entered how many requests of today have an entry
 * @param rest what hangs on the requests; null: nothing
 */
async function seed(count: number, entered: number, rest: Rest | null): Promise<Seeded> {
  const now = Date.now()
  const at = new Date(now).toISOString()
  const sessions = await openSessions('')
  await sessions.write(SESSION)
  const user = await databaseName(SESSION.userInfo.id, '')
  const { name: database, codecFor } = await sealedStores(user)
  const db = await openDatabase({
    name: database,
    storage: createStorage({ codecFor }),
    multiInstance: false,
  })
  const rows = requestRows(count, now).map((row, i) =>
    toRequestRecord(
      requestWire.assert({ ...row, ...detailOfRow(i) }),
      undefined,
      { stamp: '', at },
      'single',
    ),
  )
  // as the pull writes them: RxDB goes through documents of one moment again and again
  for (let from = 0; from < rows.length; from += PAGE_SIZE)
    await db.requests.bulkInsert(rows.slice(from, from + PAGE_SIZE))
  await storeInClear(rows)
  const keys = new Set(rows.slice(0, USABLE).flatMap(prefetchKeys))
  await db.interests.bulkInsert(
    [...keys].map((key) => ({
      key,
      kind: 'prefetch',
      askedAt: at,
      state: 'answered',
      answeredAt: at,
      total: 0,
    })),
  )
  const today = new Date(now + 9 * 3_600_000).toISOString().slice(0, 10)
  const inside = rows.filter(({ workingDate }) => workingDate === today).slice(-entered)
  await db.quickReports.bulkInsert(inside.map((request) => enteredReport(request, at)))
  if (rest) await seedRest(db, rows, rest)
  await db.close()
  return { database, entered: inside.map(({ id }) => `report-${id}`) }
}

/** What the floor of the search reads: the same records in an IndexedDB of their own, not encrypted. */
async function storeInClear(rows: readonly RequestRecord[]): Promise<void> {
  const store = createStore('bench-floor', 'docs')
  await setMany(
    rows.map((row): [string, RequestRecord] => [row.key, row]),
    store,
  )
}

/** Under a key, as after a login. */
async function sealedStores(user: string) {
  const keys = await openKeys('')
  const { userName, userInfo } = SESSION
  const trying = await keys.trying(userName, 'bench')
  const login = { user, userName, who: { userName, userInfo } }
  await trying.login(login, async () => undefined)
  const { name, sealer } = await openSealer(user, keys)
  return { name, codecFor: sealedRows(sealer) }
}

const enteredReport = (
  { id, workingDate, workingDateType }: RequestRecord,
  at: string,
): QuickReportRecord => ({
  key: visitKey(id, workingDate),
  requestId: id,
  workingDate,
  workingDateType,
  serverId: `report-${id}`,
  unsent: 'no',
  changes: [],
  server: {
    id: `report-${id}`,
    inTime: at,
    outTime: null,
    type: null,
    reason1: null,
    reason2: null,
    reportContent: null,
    editStatus: 'OK',
    detailed: true,
    stamp: '',
  },
})

Object.assign(window, { seed })
