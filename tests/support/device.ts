/**
 * A device for the replication tests: real RxDB on fake-indexeddb, the real sync module, MSW's network. `crash` drops
 * everything without a goodbye and `open` starts again on the same storage; the clock is turned by hand.
 */
import { BehaviorSubject, filter, firstValueFrom, map, timer } from 'rxjs'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { loginAnswer, type Session } from '#schemas/device/session.ts'
import type { QueueItem } from '#schemas/changes/change-queue.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { createConnectivity } from '#sync/runtime/connectivity.ts'
import type { PhotoParents } from '#sync/photos/photo-place.ts'
import { type AnswerTime, createHttp } from '#sync/transport/http.ts'
import { startSync } from '#sync/runtime/start-sync.ts'
import { sharedNow, type Ticks } from '#sync/lib/backoff.ts'
import { reportOnline, createSchedulers, afterTimeout } from '#sync/scheduler/scheduler.ts'
import type { TabLocks } from '#sync/leadership/lease.ts'
import { pageLocks } from './page-locks.ts'
import { login } from '#sync/transport/login.ts'
import { loginCall } from '#sync/transport/endpoints.ts'
import type { Database } from '#data/database/database.ts'
import { storesName } from '#data/database/database-name.ts'
import { openAnswerCache } from '#data/http-cache/answer-cache.ts'
import { openStores, type Layout } from '#data/user-stores/open-stores.ts'
import { openPhotoBytes, type PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import type { Saver } from '#data/changes/changes.ts'
import { createClock } from '#lib/time/stamp.ts'
import { queueNow } from './queue-now.ts'
import type { SealedOptions } from './seal-keys.ts'
import { sessionPort } from './session-port.ts'
import { tabWords } from './tab-words.ts'
import { PLAIN } from './plain-sealer.ts'

export const ORIGIN = 'http://crm.test'
export const ENV = {
  apiEndpoint: '/api/v1',
  crmEndpoint: 'crm',
  securityEndpoint: 'security',
  securityKey: 'demo-key',
  fileStoreEndpoint: '/doccloud',
}

export interface Device {
  db: Database
  bytes: PhotoBytesTable
  session: BehaviorSubject<Session | null>
  /** The browser's online and offline events. */
  network: BehaviorSubject<boolean>
  /** Whether the app is in sight. */
  visible$: BehaviorSubject<boolean>
  problems: string[]
  /** What was told of the device's room. */
  full: boolean[]
  times: AnswerTime[]
  /** A word each time that people are told of something larger than is taken. */
  leftOut: string[]
  saver(): Saver
  queue(): Promise<QueueItem[]>
  request(key: string): Promise<RequestRecord>
  /**
   * The tab hears no answer from now on, neither of a call nor of the other tabs, and comes to no new call. @returns what
   * ends that
   */
  freeze(): () => void
  /** The tab closes properly. */
  close(): Promise<void>
}

interface OpenOptions {
  online?: boolean
  multiInstance?: boolean
  layout?: Layout
  /** As another tab, over the database of this one: RxDB opens no more collections in one process. */
  beside?: Device
}

export interface Phone {
  /** Wall clock of the device, epoch ms. */
  now: number
  /** So many times faster than real time go the waits between calls. */
  haste: number
  /** What the app has run beside what it runs: as if it had been open for longer, in milliseconds. */
  ran: number
  signIn(userName?: string): Promise<Session>
  /** Opens the app on this phone's storage, signed in; where something is sealed, in the stores of its key. */
  open(options?: OpenOptions): Promise<Device>
  /** Where photos go, where the test says so. */
  parents?: PhotoParents
  session: BehaviorSubject<Session | null>
  storage: PhoneStorage
  /** Over all tabs. */
  locks: TabLocks
  /** What its tabs have said to each other. */
  said: readonly string[]
  /** Time limit of one call. */
  timeoutMs: number
  storageOptions?: SealedOptions
  /** Whether it keeps answers, to ask conditionally. */
  keepsAnswers?: boolean
  /** What lies between this phone and the CRM, where the test says so. */
  between?: (request: Request) => Promise<Response>
}

interface PhoneStorage {
  number: number
  indexedDB: IDBFactory
  /** What is there in all tabs, and after a reload. */
  memory: Map<string, string>
}

const ALONE = { locks: undefined, room: undefined, waits: () => undefined }
let phones = 0

/** A new phone with empty storage, or one whose storage goes on (in freshly loaded modules, say). */
export function newPhone(
  now: number,
  storage: PhoneStorage = { number: (phones += 1), indexedDB: new IDBFactory(), memory: new Map() },
): Phone {
  const { number, indexedDB } = storage
  const session = new BehaviorSubject<Session | null>(null)
  const words = tabWords()
  let memory: string | null = null
  const phone: Phone = {
    ...{ now, ran: 0, haste: 1 },
    session,
    storage,
    said: words.said,
    locks: pageLocks(),
    timeoutMs: 2_000,
    async signIn(userName = 'demo6') {
      const call = loginCall(`${ORIGIN}/api/v1/crm/login`, { userName, password: 'password' })
      const result = login(await createHttp({ fetch, securityKey: ENV.securityKey })(call), userName)
      if (result.kind !== 'signed-in') throw new Error(`login: ${result.kind}`)
      loginAnswer.assert(result.session)
      session.next(result.session)
      return result.session
    },
    async open({ online = true, multiInstance = false, layout, beside } = {}) {
      const user = session.value?.userInfo
      if (!user) throw new Error('sign in first')
      const clock = createClock({
        now: () => phone.now,
        device: `phone${number}`,
        memory: { get: () => memory, set: (stamp) => void (memory = stamp) },
      })
      const network = new BehaviorSubject(online)
      const visible$ = new BehaviorSubject(true)
      const problems: string[] = []
      const [full, times]: [boolean[], AnswerTime[]] = [[], []]
      const leftOut: string[] = []
      const frozen$ = new BehaviorSubject(false)
      const thawed = () => firstValueFrom(frozen$.pipe(filter((frozen) => !frozen)))
      const tabs = words.channel(() => frozen$.value)
      const open = async () => {
        const sample = phone.storageOptions?.sealer?.sealValue(['', '', ''], '')
        const keyId = (await sample)?.key
        const name = `phone${number}-${user.id}`
        const { db, release } = await openStores({
          name: keyId ? storesName(name, keyId) : name,
          indexedDB,
          ranges: IDBKeyRange,
          ...ALONE,
          report: (problem) => problems.push(problem),
          storage: createStorage({ indexedDB, IDBKeyRange, ...phone.storageOptions }),
          multiInstance,
          ...(layout && { layout }),
        })
        const settings = { indexedDB, IDBKeyRange }
        const given = { settings, sealer: PLAIN, ...phone.storageOptions }
        const stores = { databaseName: db.name, now: () => phone.now, ...given }
        release()
        return { db, bytes: openPhotoBytes(stores), answers: phone.keepsAnswers && openAnswerCache(stores) }
      }
      const opened = beside ?? (await open())
      const { db, bytes } = opened
      const answers = 'answers' in opened && opened.answers ? opened.answers : undefined
      const onTheWay: typeof fetch = (...args) =>
        phone.between ? phone.between(new Request(...args)) : fetch(...args)
      const ticks: Ticks = {
        now: () => sharedNow() * phone.haste,
        after$: (ms) => timer(ms / phone.haste),
      }
      const schedulers = createSchedulers({
        now: ticks.now,
        wall: () => phone.now,
        random: () => 0.5,
        after: (ms, run) => afterTimeout(ms / phone.haste, run),
        memory: (name) => ({
          get: () => storage.memory.get(name) ?? null,
          set: (text) => storage.memory.set(name, text),
        }),
      })
      const connectivity = createConnectivity({
        initial: online,
        ...{ events$: network, flag: () => network.value },
        visible$,
        probe: () =>
          schedulers.crm.probe(createHttp({ fetch: onTheWay, securityKey: '' }), `${ORIGIN}/api/check`),
        isWindows: false,
        random: () => 0.5,
        after$: ticks.after$,
      })
      const heard = connectivity.cameOnline$.subscribe(() => reportOnline(schedulers))
      const sync = startSync({
        db,
        env: ENV,
        origin: ORIGIN,
        async fetch(...args) {
          if (!network.value) throw new TypeError('offline')
          try {
            return await onTheWay(...args)
          } finally {
            await thawed()
          }
        },
        user,
        sessions: sessionPort(session, thawed),
        sessionValid$: session.pipe(map((current) => current?.userInfo.id === user.id && !current.expired)),
        connectivity,
        schedulers,
        visible$,
        locks: phone.locks,
        tabs,
        askEveryMs: 100,
        clock,
        time: {
          monotonic: () => performance.now() + phone.ran,
          memory: {
            get: () => storage.memory.get('time') ?? null,
            set: (text) => void storage.memory.set('time', text),
          },
        },
        random: () => 0.5,
        ticks,
        report: (problem) => problems.push(problem),
        onStorageFull: (isFull) => full.push(isFull),
        onOmitted: () => leftOut.push('told'),
        onServerTime: (time) => times.push(time),
        bytes,
        answers,
        ...(phone.parents && { parents: phone.parents }),
        timeoutMs: phone.timeoutMs,
      })
      return {
        db,
        bytes,
        session,
        network,
        visible$,
        problems,
        full,
        leftOut,
        times,
        saver: () => ({
          db,
          clock,
          newId: () => crypto.randomUUID(),
          userId: user.id,
          offline: !network.value,
        }),
        queue: () => queueNow(db),
        async request(key) {
          const doc = await db.requests.findOne(key).exec(true)
          return doc.toMutableJSON()
        },
        freeze() {
          frozen$.next(true)
          return () => frozen$.next(false)
        },
        async close() {
          heard.unsubscribe()
          connectivity.stop()
          await sync.stop()
          if (beside) return
          await db.close()
          bytes.close()
          await answers?.written()
          answers?.close()
        },
      }
    },
  }
  return phone
}

/** Waits until the check holds; fails with its last error. */
export async function until<T>(check: () => Promise<T | false> | T | false, ms = 15_000): Promise<T> {
  const end = performance.now() + ms
  for (;;) {
    const value = await check()
    if (value !== false && value !== undefined && value !== null) return value
    if (performance.now() > end) throw new Error(`still not so after ${ms} ms: ${check.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
