/**
 * One page of the app, as `src/app` puts it together, without its screens: real RxDB with its replication, and the sync module
 * from `startSync` on. What is a model is given by the port: disk, locks, channel, network, clocks.
 */
import { BehaviorSubject, Subject, map } from 'rxjs'
import type { Session } from '#schemas/device/session.ts'
import { openDatabase } from '#data/database/database.ts'
import type { Saver } from '#data/changes/changes.ts'
import { restartFailedQueries } from '#data/storage/stored-docs.ts'
import { createClock } from '#lib/time/stamp.ts'
import { createLocks, type TabChannel } from '#sync/leadership/lease.ts'
import { pageLocks } from '../../support/page-locks.ts'
import { createConnectivity } from '#sync/runtime/connectivity.ts'
import { startSync } from '#sync/runtime/start-sync.ts'
import { afterTimeout, createSchedulers, reportOnline } from '#sync/scheduler/scheduler.ts'
import { endpointsOf } from '#sync/transport/endpoints.ts'
import { createHttp } from '#sync/transport/http.ts'
import { pageActs } from './page-acts.ts'
import type { Page, PagePort } from './page-port.ts'
import { pageStorage } from './page-storage.ts'
import { beginSealed } from './sealed-page.ts'

export { phoneKeys } from './sealed-page.ts'

// as the shipped storage does (RULES trap 21)
restartFailedQueries()

const ORIGIN = 'http://crm.test'
const ENV = {
  apiEndpoint: '/api/v1',
  crmEndpoint: 'crm',
  securityEndpoint: 'security',
  securityKey: 'key',
  fileStoreEndpoint: '/files',
}

export async function openPage(port: PagePort): Promise<Page> {
  const { user, now, random } = port
  const sealing = port.seal ? await beginSealed(port, port.seal) : null
  const bytes = sealing?.bytes ?? port.bytes
  const db = await openDatabase({
    name: port.name,
    storage: sealing?.storage ?? pageStorage(port),
    multiInstance: false,
  })
  // RxDB's own channel between tabs is not needed, for they share one disk here; the sync module asks this to stand in line
  Object.defineProperty(db, 'multiInstance', { value: port.hasTabs })
  // and the line is that of the phone's database, which has another name on each page
  Object.defineProperty(db, 'name', { value: sealing?.name ?? port.diskName })
  const drop = () => {
    for (const collection of Object.values(db.collections)) collection.close().catch(() => undefined)
  }
  const clock = createClock({ now, device: 'phone', memory: port.memory('stamp') })
  const sealed =
    sealing &&
    (await sealing.openLocked(db, clock).catch((error: unknown) => {
      drop()
      throw error
    }))
  const network$ = new BehaviorSubject(port.isOnline)
  const visible$ = new BehaviorSubject(port.isVisible)
  const session$ = new BehaviorSubject<Session | null>(await port.session.read())
  const words$ = new Subject<string>()
  const tabs: TabChannel = { say: port.say, messages$: words$, close: () => undefined }
  const schedulers = createSchedulers({
    now: port.ran,
    wall: now,
    random,
    after: afterTimeout,
    memory: port.memory,
  })
  const fetch = port.fetch as typeof globalThis.fetch
  const probeUrl = endpointsOf(ENV, ORIGIN).probe
  const connectivity = createConnectivity({
    initial: port.isOnline,
    events$: network$,
    flag: () => network$.value,
    visible$,
    probe: () => schedulers.crm.probe(createHttp({ fetch, securityKey: '' }), probeUrl),
    isWindows: false,
    random,
  })
  const heard = connectivity.cameOnline$.subscribe(() => reportOnline(schedulers))
  const sync = startSync({
    db,
    env: ENV,
    origin: ORIGIN,
    fetch,
    user,
    sessions: port.session,
    sessionValid$: session$.pipe(map((session) => session?.userInfo.id === user.id && !session.expired)),
    connectivity,
    schedulers,
    visible$,
    locks: port.locks ? createLocks(port.locks) : pageLocks(),
    tabs,
    clock,
    time: { monotonic: port.ran, memory: port.memory('time') },
    random,
    report: port.report,
    onStorageFull: port.storageFull,
    onTransition: port.moved,
    bytes,
    leadershipLost: port.leadershipLost,
    answers: port.answers,
  })
  const saver = (): Saver => ({
    db,
    clock,
    newId: () => crypto.randomUUID(),
    userId: user.id,
    offline: !network$.value,
  })
  const stop = async () => {
    heard.unsubscribe()
    connectivity.stop()
    await sync.stop()
  }
  return {
    db,
    saver,
    online: (is) => network$.next(is),
    visible(is) {
      if (is !== visible$.value) visible$.next(is)
    },
    session: (session) => session$.next(session),
    hear: (word) => words$.next(word),
    memoryChanged() {
      schedulers.crm.storedStateChanged()
      schedulers.files.storedStateChanged()
    },
    stop,
    async close() {
      await stop()
      await db.close()
      sealing?.forget()
    },
    drop,
    sealed,
    act: pageActs(port, db, saver, bytes),
  }
}
