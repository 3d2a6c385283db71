/** One user's data: opens the database and starts its sync; closes them at logout (sync RULES SV4). */
import { Observable } from 'rxjs'
import type { Session } from '#schemas/device/session.ts'
import type { SyncParts } from '#sync/runtime/sync-parts.ts'
import { createTabChannel } from '#sync/leadership/tab-channel.ts'
import type { UserData } from '#data/context/app-context.tsx'
import { settleDrafts } from '#data/drafts/save-draft.ts'
import { databaseName } from '#data/database/database-name.ts'
import type { Database } from '#data/database/database.ts'
import { readStored } from '#data/storage/read-stored.ts'
import { openAnswerCache } from '#data/http-cache/answer-cache.ts'
import { createFormDrafts } from '#data/drafts/form-drafts.ts'
import { createLiveQueries } from '#data/database/live-queries.ts'
import { openStores, type OpenedStores } from '#data/user-stores/open-stores.ts'
import { openPhotoBytes } from '#data/photos/photo-bytes.ts'
import { photoProgress$ } from '#data/photos/photos.ts'
import { openLockedData } from '#data/locked/locked-data.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'
import { sealedRows, type Refused } from '#data/encryption/sealed-rows.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import type { Clock } from '#lib/time/stamp.ts'
import type { DeviceValues } from '#app/config/device-values.ts'
import type { Keys } from '#app/session/state/keys.ts'
import type { Network } from '#app/network/network.ts'
import { limitUnlocking, openTries } from '#app/session/lock/tries.ts'
import { openSealer } from './open-sealed.ts'
import type { DeviceSessions } from '#app/session/state/session-store.ts'
import { keepAwake } from '#app/network/keep-awake.ts'
import { startSyncLater } from '#app/network/start-sync-later.ts'
import { shareNotices, type LocalNotices, type SyncNotices } from '#app/shell/shared-notices.ts'

/** Exported from here because a chunk of its own took 10 ms of a start on a slow phone (decisions/speed). */
export { openKeys } from '#app/session/state/keys.ts'

export interface OpenUserData extends LocalNotices {
  session: Session
  network: Network
  sessions: DeviceSessions
  values: DeviceValues
  keys: Keys
  clock: Clock
  report: (problem: string) => void
  /** Called for rows that this app did not write: they are neither shown nor sent. */
  refused?: () => void
  /** Resolves once the first screen with this data is painted. */
  firstPaint: Promise<void>
  /** Called while another tab has the stores open with an older version. */
  waits: () => void
}

export interface OpenedUserData extends Omit<UserData, 'saved' | 'painted'> {
  close(): Promise<void>
}

interface Sealing {
  sealer: Sealer
  refused: Refused
}

/** How long a lock or a logout waits for a photo that is still being read, which would be lost otherwise (SV1). */
const TAKEN_MS = 10_000

export async function openUserData(parts: OpenUserData): Promise<OpenedUserData> {
  const name = await databaseName(parts.session.userInfo.id, parts.network.scope)
  const { sealer, forget } = await openSealer({ name, keys: parts.keys, locks: navigator.locks })
  const refused = refusedOnce(parts)
  const codecFor = sealedRows(sealer, refused)
  const stores = await openStores({
    name,
    storage: createStorage({ report: parts.report, codecFor }),
    codecFor,
    multiInstance: true,
    indexedDB,
    ranges: IDBKeyRange,
    locks: navigator.locks,
    room: navigator.storage,
    waits: parts.waits,
    report: parts.report,
  })
  try {
    const opened = await open(stores, { sealer, refused }, parts)
    return { ...opened, close: () => opened.close().finally(forget) }
  } catch (error) {
    stores.release()
    throw error
  }
}

async function open(
  { db, release }: OpenedStores,
  sealing: Sealing,
  parts: OpenUserData,
): Promise<OpenedUserData> {
  const { session, keys, values, clock, report, firstPaint } = parts
  const { scope } = parts.network
  await observeStamps(db, clock)
  const { bytes, answers } = openTables(db, sealing, clock)
  void firstPaint.then(() => answers.expire(clock.now()))
  const place = { db, bytes, clock, newId: () => crypto.randomUUID() }
  const saver = { ...place, userId: session.userInfo.id, offline: !navigator.onLine }
  // a full device must not prevent reading
  await settleDrafts(saver, (problem) => report(String(problem)))
  // asks the browser not to evict unsent work when space runs short; a refusal changes nothing
  void navigator.storage?.persist?.()
  const tabs = createTabChannel(`genba-tabs-${db.name}`)
  const { stop: stopTelling, ...told } = shareNotices(tabs, parts)
  const sync = startSyncLater(firstPaint, syncPartsOf(parts, { db, bytes, answers, tabs, ...told }))
  const progress$ = photoProgress$(db)
  const lockedDataTabs = new BroadcastChannel(`genba-aside-${db.name}`)
  const lockedData = await openLockedData({
    indexedDB,
    tabs: lockedDataTabs,
    keys,
    db,
    bytes,
    cryptography: crypto,
    about: () => ({ made: new Date(clock.now()).toISOString(), app: __APP_VERSION__ }),
    report: (problem) => report(String(problem)),
  })
  const letSleep = keepAwake({ progress$, wakeLock: navigator.wakeLock, page: document })
  const drafts = createFormDrafts({ db, bytes })
  const live = createLiveQueries(db)
  return {
    db,
    bytes,
    live,
    drafts,
    sealer: sealing.sealer,
    lockedData: limitUnlocking(lockedData, openTries({ values, scope, now: clock.now }, 'sealed-tries')),
    async close() {
      letSleep()
      await sync.stop()
      stopTelling()
      await drafts.taken(TAKEN_MS)
      tabs.close()
      lockedDataTabs.close()
      live.stop()
      await db.close()
      bytes.close()
      await answers.written()
      answers.close()
      release()
    },
  }
}

/** Reports each store once and notifies the user once: a list is read repeatedly. */
function refusedOnce({ report, refused }: Pick<OpenUserData, 'report' | 'refused'>): Refused {
  const reported = new Set<string>()
  return ({ message }) => {
    if (reported.has(message)) return
    if (reported.size === 0) refused?.()
    reported.add(message)
    report(message)
  }
}

/** Opens the tables beside the database: the photos, and the cached answers. */
function openTables(db: Database, sealing: Sealing, { now }: Clock) {
  const place = { databaseName: db.name, now, ...sealing }
  return { bytes: openPhotoBytes(place), answers: openAnswerCache(place) }
}

function syncPartsOf(
  parts: OpenUserData,
  opened: Pick<SyncParts, 'db' | 'bytes' | 'answers' | 'tabs'> & SyncNotices,
): SyncParts {
  const { session, network, sessions, clock, report } = parts
  const user = session.userInfo
  return {
    ...opened,
    env: network.env,
    origin: location.origin,
    fetch: network.fetch,
    user,
    sessions,
    sessionValid$: sessionValid$(sessions, user.id),
    connectivity: network.connectivity,
    schedulers: network.schedulers,
    visible$: network.visible$,
    locks: network.locks,
    clock,
    time: { monotonic: () => performance.now(), memory: trustedTime(parts) },
    random: Math.random,
    report,
    onCallEnded: network.ended,
    onTransition: (transition) => network.recorder.add('move', transition),
    // it may have missed other tabs' writes; typed input stays as a draft
    leadershipLost: () => location.reload(),
  }
}

interface TimeMemory extends Pick<OpenUserData, 'values' | 'report'> {
  network: Pick<OpenUserData['network'], 'scope'>
}

/** Trusted time of the device for this CRM, shared by its users. */
export const trustedTime = ({ values, network, report }: TimeMemory) => ({
  get: () => values.get('time', network.scope),
  set: (text: string) =>
    void values.set('time', text, network.scope).catch((error: unknown) => report(String(error))),
})

/** Moves the clock past the stamps of unsent changes, even if its own memory was lost. */
async function observeStamps(db: Database, clock: Clock) {
  const unsent = { selector: { unsent: 'yes' as const } }
  const [photos, changes] = await Promise.all([db.photos.find(unsent).exec(), readStored(db.changes, {})])
  for (const { stamp } of [...photos, ...changes]) clock.observe(stamp)
}

const sessionValid$ = (sessions: DeviceSessions, userId: string) =>
  new Observable<boolean>((subscriber) => {
    const update = () => {
      const session = sessions.get()
      subscriber.next(session?.userInfo.id === userId && !session.expired)
    }
    update()
    return sessions.subscribe(update)
  })
