/**
 * The measures of the sync engine in a real browser. Each comes with its floor: the bare minimum that any app would have
 * to do. The runner calls `bench[name]()` in turns, so that both see the same machine.
 */
import { Dexie } from 'dexie'
import { BehaviorSubject, filter, firstValueFrom } from 'rxjs'
import { isOpen } from '#schemas/changes/record-view.ts'
import { visitKey } from '#schemas/resources/visit-key.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { createConnectivity } from '#sync/runtime/connectivity.ts'
import { sharedNow } from '#sync/lib/backoff.ts'
import { afterTimeout, createSchedulers } from '#sync/scheduler/scheduler.ts'
import { startSync } from '#sync/runtime/start-sync.ts'
import { createLocks, createTabChannel } from '#sync/leadership/lease.ts'
import { openDatabase } from '#data/database/database.ts'
import { openPhotoBytes } from '#data/photos/photo-bytes.ts'
import { savePhotos } from '#data/photos/photos.ts'
import { saveEntry } from '#data/resources/quick-report-changes.ts'
import { changes$ } from '#data/changes/record-views.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { createClock } from '#lib/time/stamp.ts'
import { PLAIN } from '../support/plain-sealer.ts'

const REST = `${location.origin}/api/v1/crm-rest/spa`
const ENV = {
  apiEndpoint: '/api/v1',
  crmEndpoint: 'crm',
  securityEndpoint: 'security',
  securityKey: 'demo-key',
  fileStoreEndpoint: '/doccloud',
}
const USER = { id: 'bench', supplierStaffId: 'bench', userFlag: 6, loginUserName: 'bench' }
const PAGE = 50

let runs = 0

/** A CRM that has no requests: nothing is read beside what is sent. */
const EMPTY_CRM = { ...ENV, crmEndpoint: 'empty' }

/** A device with an empty database. */
async function device({ online, env = ENV }: { online: boolean; env?: typeof ENV }) {
  const name = `bench-${Date.now()}-${(runs += 1)}`
  const db = await openDatabase({
    name,
    storage: createStorage(),
    multiInstance: false,
  })
  let memory: string | null = null
  const clock = createClock({
    now: Date.now,
    device: 'bench',
    memory: { get: () => memory, set: (stamp) => void (memory = stamp) },
  })
  const network = new BehaviorSubject(online)
  const connectivity = createConnectivity({
    initial: online,
    events$: network,
    flag: () => network.value,
    visible$: new BehaviorSubject(true),
    probe: async () => true,
    isWindows: false,
    random: Math.random,
  })
  const session = { userName: 'bench', expired: false, accessToken: 'a', refreshToken: 'r', userInfo: USER }
  const start = () =>
    startSync({
      db,
      env,
      origin: location.origin,
      fetch: fetch.bind(window),
      user: USER,
      sessions: { read: async () => session, replace: async () => true },
      sessionValid$: new BehaviorSubject(true),
      connectivity,
      schedulers: createSchedulers({
        now: sharedNow,
        wall: Date.now,
        random: Math.random,
        after: afterTimeout,
        memory: () => ({ get: () => null, set: () => undefined }),
      }),
      visible$: new BehaviorSubject(true),
      locks: createLocks(navigator.locks),
      tabs: createTabChannel('bench'),
      clock,
      time: { monotonic: () => performance.now(), memory: { get: () => null, set: () => undefined } },
      random: Math.random,
      report: (problem) => console.error(problem),
      bytes: openPhotoBytes({ sealer: PLAIN, databaseName: db.name, now: Date.now }),
    })
  const saver = { db, clock, newId: () => crypto.randomUUID(), userId: USER.id, offline: !online }
  return { db, network, start, saver }
}

const timed = async (work: () => Promise<unknown>) => {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

const requestAt = (i: number) =>
  ({ id: `bench-${i}`, workingDate: '2026-11-20', workingDateType: '1' }) as RequestRecord

async function initialSyncFloor(count: number): Promise<number> {
  const dexie = new Dexie(`floor-${Date.now()}-${(runs += 1)}`)
  dexie.version(1).stores({ rows: 'key, workingDate' })
  await dexie.open()
  const time = await timed(async () => {
    for (let offset = 1; offset <= count; offset += PAGE) {
      const response = await fetch(`${REST}/request/search?limit=${PAGE}&offset=${offset}`)
      const rows = (await response.json()) as { id: string; workingDate: string }[]
      await dexie
        .table('rows')
        .bulkPut(rows.map((row) => ({ key: visitKey(row.id, row.workingDate), ...row })))
    }
  })
  await dexie.delete()
  return time
}

async function initialSync(count: number): Promise<number> {
  const { db, start } = await device({ online: true })
  const all$ = db.requests.count().$.pipe(filter((n) => n >= count))
  let sync: ReturnType<typeof start> | undefined
  const time = await timed(async () => {
    sync = start()
    await firstValueFrom(all$)
  })
  await sync?.stop()
  await db.remove()
  return time
}

async function replayFloor(count: number): Promise<number> {
  return timed(async () => {
    for (let i = 0; i < count; i++) {
      const body = JSON.stringify({ requestId: `bench-${i}`, workingDate: '2026-11-20', inTime: 'x' })
      await (await fetch(`${REST}/quickReport/`, { method: 'POST', body })).json()
    }
  })
}

async function replay(count: number): Promise<number> {
  const { db, network, start, saver } = await device({ online: false, env: EMPTY_CRM })
  const sync = start()
  for (let i = 0; i < count; i++) await saveEntry(saver, [requestAt(i)], '2026-11-20T08:56:00+09:00')
  const none$ = changes$(db).pipe(filter((changes) => !changes.some(isOpen)))
  const time = await timed(async () => {
    network.next(true)
    await firstValueFrom(none$)
  })
  await sync.stop()
  await db.remove()
  return time
}

/** Milliseconds per save: the first hundred, and the hundred up to a thousand. */
async function queueGrowth(): Promise<{ at100: number; at1000: number }> {
  const { db, start, saver } = await device({ online: false })
  const sync = start()
  const save = async (from: number, to: number) => {
    for (let i = from; i < to; i++) await saveEntry(saver, [requestAt(i)], '2026-11-20T08:56:00+09:00')
  }
  const at100 = (await timed(() => save(0, 100))) / 100
  await save(100, 900)
  const at1000 = (await timed(() => save(900, 1_000))) / 100
  await sync.stop()
  await db.remove()
  return { at100, at1000 }
}

const PHOTO_BYTES = 2 * 1024 * 1024

/** Random, so that nothing on the way can compress it; a JPEG as far as anyone looks. */
function photo(): ArrayBuffer {
  const bytes = new Uint8Array(PHOTO_BYTES)
  for (let at = 0; at < PHOTO_BYTES; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536))
  bytes.set([0xff, 0xd8, 0xff, 0xe0])
  return bytes.buffer
}

const settled = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB')))
  })

async function photosFloor(count: number): Promise<number> {
  const name = `photos-floor-${Date.now()}-${(runs += 1)}`
  const opening = indexedDB.open(name)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('bytes'))
  const db = await settled(opening)
  const photos = Array.from({ length: count }, photo)
  const time = await timed(async () => {
    for (const [i, bytes] of photos.entries()) {
      const transaction = db.transaction('bytes', 'readwrite', { durability: 'strict' })
      const done = new Promise((resolve) => transaction.addEventListener('complete', resolve))
      transaction.objectStore('bytes').put(bytes, i)
      await done
    }
  })
  db.close()
  await settled(indexedDB.deleteDatabase(name))
  return time
}

async function photos(count: number): Promise<number> {
  const { db, saver } = await device({ online: false })
  const bytes = openPhotoBytes({ sealer: PLAIN, databaseName: db.name, now: Date.now })
  const taken = Array.from({ length: count }, photo)
  // opened, as the floor's is: a device makes it once
  await bytes.keys(0)
  const known = {
    resource: 'emergencyReports',
    recordKey: 'bench',
    requestId: 'bench',
    workingDate: '2026-11-20',
    type: 'image/jpeg' as const,
    size: PHOTO_BYTES,
    placeInfo: '',
    takenAt: '2026-11-20T10:00:00+09:00',
  }
  // as a form does: the bytes as each is taken, what is known of all of them with the save
  const time = await timed(async () => {
    const saved = []
    for (const [i, one] of taken.entries()) {
      const key = crypto.randomUUID()
      await bytes.put(key, one)
      saved.push({ ...known, key, name: `${i}.jpg` })
    }
    await savePhotos(saver, saved)
  })
  bytes.close()
  await db.remove()
  return time
}

Object.assign(window, {
  bench: { initialSyncFloor, initialSync, replayFloor, replay, queueGrowth, photosFloor, photos },
})
