/** One phone of the smallest world: its disk as a value, and the shipped modules that are run on it. */
import type { CustomerLocationRecord } from '#schemas/resources/customer-location-change-request.ts'
import type { Change, StoredRecord } from '#schemas/change.ts'
import { recordViews } from '#schemas/changes/record-view.ts'
import { customerLocationPull } from '#sync/resources/own-rules.ts'
import { mergeRows } from '#sync/merge/merge-rows.ts'
import { createSender } from '#sync/changes/sender.ts'
import { rxQueueStore, type QueueStore } from '#sync/changes/change-store.ts'
import { createApi, type Api } from '#sync/scheduler/api.ts'
import type { Http } from '#sync/transport/http.ts'
import { GateClosed, type Gate } from '#sync/scheduler/scheduler.ts'
import type { Locks } from '#sync/leadership/lease.ts'
import { saveCustomerLocation } from '#features/customer-location-change-request/commands.ts'
import { Disk } from '../disk.ts'
import { modelDb, type StorageStep } from '../model-db.ts'
import { REQUEST, REST, rowOf, type Content } from './crm.ts'

const RESOURCE = 'customerLocationChangeRequests'
const USER = 'u1'
/** The clock of the wall stands still: order is by the stamps alone. */
const NOW = Date.parse('2026-11-20T09:00:00+09:00')

/** What is on the disk of one phone. */
export interface DiskState {
  stored: StoredRecord[]
  changes: Change[]
}

/** What the phone shows, and how far each change is on its way. */
export const seenOn = ({ stored, changes }: DiskState) => ({
  records: [...recordViews<CustomerLocationRecord>(stored, changes).values()],
  progress: changes,
})

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
    for (const record of state.stored) this.disk[RESOURCE].set(record.key, record as never)
    for (const change of state.changes) this.disk.changes.set(change.id, change)
  }

  state = (): DiskState => ({
    stored: [...this.disk[RESOURCE].values()].filter((row) => !row._deleted),
    changes: [...this.disk.changes.values()].filter((row) => !row._deleted),
  })

  private readonly clock = { now: () => NOW, stamp: () => this.nextStamp(), observe: () => undefined }
  private readonly db = (step: StorageStep) => modelDb(this.disk, step)

  /** A person saves the form, opened on what the phone shows. */
  async save(id: string, change: Partial<Record<keyof Content, string>>): Promise<void> {
    const seen = seenOn(this.state()).records[0] ?? null
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
    let elapsed = 0
    let turns = 0
    const woken: (() => void)[] = []
    // who waits for long enough has waited
    const gate: Gate = {
      async passed() {
        elapsed += 60_000
        if ((turns += 1) > MOST_TURNS) throw new GateClosed('long enough')
      },
      failed: () => undefined,
      succeeded: () => undefined,
    }
    const authorized = (send: (token: string) => Promise<unknown>) => send('t') as never
    const tokens = { authorized, authorizedForFiles: authorized }
    const api = createApi({
      http,
      scheduler: { read: (_, run) => run() },
      tokens,
      rest: REST,
      now: this.clock.now,
      begin: () => () => undefined,
    })
    const sender = createSender({
      store,
      api: this.planted.api?.(api) ?? api,
      locks,
      clock: this.clock,
      elapsed: () => elapsed,
      limitMs: 20_000,
      wait: () => new Promise((resolve) => woken.push(resolve)),
      failed: () => undefined,
      userId: USER,
      loginUserId: USER,
      gate,
      ageCheck: async () => null,
    })
    const ended = (error: unknown) => {
      if (!(error instanceof GateClosed)) throw error
    }
    await sender.push([]).catch(ended)
    while (woken.length > 0 && turns < MOST_TURNS) {
      elapsed += 60_000
      woken.length = 0
      await sender.push([]).catch(ended)
    }
  }

  /** A list that was read at that stamp is written. */
  pulled(content: Content | null, stamp: string): void {
    const rows = content ? [customerLocationPull.row(rowOf(content), owner())] : []
    const { stored } = this.state()
    const local = seenOn(this.state()).records
    const written = mergeRows({
      resource: RESOURCE,
      rows: rows.filter((row) => 'record' in row),
      local,
      skippedIds: [],
      stamp,
      completeAsOf: stamp,
      isNeeded: () => false,
      isStored: ({ key, server }) =>
        stored.some((row) => row.key === key && row.server?.stamp === server?.stamp),
      loginUserId: USER,
    })
    for (const { _deleted, changes: _, unsent: __, ...row } of written) {
      if (_deleted) this.forgets(row.key)
      this.disk.write(RESOURCE, row.key, { ...row, ...(_deleted && { _deleted }) })
      if (this.planted.pullOverwrites) this.dropsChanges(row.key)
    }
  }

  /** As `forgetResults` has it. */
  private forgets(key: string): void {
    for (const { result: _, ...change } of this.disk.changes.values())
      if (change.recordKey === key && change.state === 'accepted')
        this.disk.write('changes', change.id, change)
  }

  private dropsChanges(key: string): void {
    for (const change of this.disk.changes.values())
      if (change.recordKey === key) this.disk.write('changes', change.id, { ...change, _deleted: true })
  }
}

const MOST_TURNS = 12

const owner = () =>
  ({ owner: REQUEST, requests: [] }) as unknown as Parameters<typeof customerLocationPull.row>[1]
