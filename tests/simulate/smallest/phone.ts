/** One phone of the smallest world: its disk as a value, and the shipped modules that are run on it. */
import type { CustomerLocationRecord } from '#schemas/customer-location-change-request.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import { customerLocationPull } from '#sync/resources/customer-location-change-request.ts'
import { mergeRows } from '#sync/merge/merge-rows.ts'
import { createSender } from '#sync/queue/sender.ts'
import { resumeQueue } from '#sync/queue/resume-queue.ts'
import { rxQueueStore, type QueueStore } from '#sync/queue/queue-store.ts'
import { createApi, type Api } from '#sync/transport/api.ts'
import type { Http } from '#sync/transport/http.ts'
import type { Locks } from '#sync/leadership/hold.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { Disk, modelDb, type StorageStep } from '../model-db.ts'
import { REQUEST, REST, rowOf, type Content } from './crm.ts'

const RESOURCE = 'customerLocationChangeRequests'
const USER = 'u1'
/** The clock of the wall stands still: order is by the stamps alone. */
const NOW = Date.parse('2026-11-20T09:00:00+09:00')

/** What is on the disk of one phone. */
export interface DiskState {
  records: CustomerLocationRecord[]
  ledger: LedgerEntry[]
}

/** What a defect changes of the parts that the phone is made of. */
export interface Planted {
  store?: (store: QueueStore) => QueueStore
  api?: (api: Api) => Api
  /** A list that was read writes what it says over what is unsent. */
  pullOverwrites?: boolean
}

/** One lock at a time is enough for one process. */
const locks: Locks = { request: async (_, run) => run({ allows: () => true }) }

export class OnePhone {
  private readonly disk: Disk
  private readonly nextStamp: () => string
  private readonly planted: Planted

  /** @param nextStamp in the order of asking, over both phones */
  constructor(name: string, state: DiskState, nextStamp: () => string, planted: Planted) {
    this.disk = new Disk(name, USER)
    this.nextStamp = nextStamp
    this.planted = planted
    for (const record of state.records) this.disk.customerLocationChangeRequests.set(record.key, record)
    for (const entry of state.ledger) this.disk.ledger.set(entry.id, entry)
  }

  state = (): DiskState => ({
    records: [...this.disk.customerLocationChangeRequests.values()].filter((row) => !row._deleted),
    ledger: [...this.disk.entries().values()],
  })

  private readonly clock = { now: () => NOW, stamp: () => this.nextStamp(), observe: () => undefined }
  private readonly db = (step: StorageStep) => modelDb(this.disk, step)

  /** A person saves the form, opened on what the phone shows. */
  async save(id: string, change: Partial<Record<keyof Content, string>>): Promise<void> {
    const seen = this.state().records[0] ?? null
    const shown = seen?.changes.at(-1)?.fields ?? seen?.server
    const draft = {
      parkingType: shown?.parkingType ?? '',
      parkingMethod: shown?.parkingMethod ?? '',
      inMethod: shown?.inMethod ?? '',
      ...change,
    } as Parameters<typeof saveCustomerLocation>[2]
    const db = this.db(async (_, effect) => effect())
    const saver = { db, clock: this.clock, newId: () => id, userId: USER, offline: false }
    await saveCustomerLocation(saver, REQUEST, draft, seen)
  }

  /** The app starts and sends until nothing can go, or waits. */
  async run(http: Http, step: StorageStep): Promise<void> {
    const plain = rxQueueStore(this.db(step))
    const store = this.planted.store?.(plain) ?? plain
    await resumeQueue(store, locks, this.clock.now)
    let elapsed = 0
    let woken = true
    const authorized = (send: (token: string) => Promise<unknown>) => send('t') as never
    const tokens = { authorized, authorizedForFiles: authorized }
    const api = createApi({ http, tokens, rest: REST, now: this.clock.now, begin: () => () => undefined })
    const sender = createSender({
      store,
      api: this.planted.api?.(api) ?? api,
      locks,
      clock: this.clock,
      elapsed: () => elapsed,
      limitMs: 20_000,
      wake: () => (woken = true),
      userId: USER,
      loginUserId: USER,
    })
    for (let times = 0; woken && times < 12; times += 1) {
      woken = false
      if ((await sender.drain()).kind === 'blocked') woken = true
      elapsed += 60_000
    }
  }

  /** A list that was read at that stamp is written. */
  pulled(content: Content | null, stamp: string): void {
    const rows = content ? [customerLocationPull.row(rowOf(content), owner())] : []
    const local = this.state().records
    const written = mergeRows({
      resource: RESOURCE,
      rows: rows.filter((row) => 'record' in row),
      local,
      skippedIds: [],
      stamp,
      completeAsOf: stamp,
      isKept: () => false,
      ledger: this.disk.entries(),
      loginUserId: USER,
    })
    for (const { _deleted, ...record } of written) {
      const row = this.planted.pullOverwrites ? { ...record, changes: [], unsent: 'no' as const } : record
      this.disk.write(RESOURCE, record.key, { ...row, ...(_deleted && { _deleted }) })
    }
  }
}

const owner = () =>
  ({ owner: REQUEST, requests: [] }) as unknown as Parameters<typeof customerLocationPull.row>[1]
