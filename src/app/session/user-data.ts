/** Opens a user's database and starts its sync; closes both after a logout (sync RULES SV4). */
import { map } from 'rxjs'
import type { Session } from '#schemas/device/session.ts'
import type { SyncParts } from '#sync/runtime/start-calls.ts'
import { createTabChannel } from '#sync/leadership/lease.ts'
import type { UserData } from '#data/context/app-context.tsx'
import { settleDrafts } from '#data/drafts/save-draft.ts'
import { databaseName, userOf } from '#data/database/database-name.ts'
import type { Database } from '#data/database/database.ts'
import { openAnswerCache } from '#data/http-cache/answer-cache.ts'
import { createFormDrafts } from '#data/drafts/drafts.ts'
import { createLiveQueries } from '#data/database/live-queries.ts'
import { openStores, type OpenedStores } from '#data/user-stores/open-stores.ts'
import { openPhotoBytes } from '#data/photos/photo-bytes.ts'
import { photoProgress$ } from '#data/photos/photos.ts'
import { openLockedData } from '#data/locked/locked-data.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'
import { SealError } from '#data/encryption/seal.ts'
import { sealedRows, type Refused } from '#data/encryption/sealed-rows.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import type { Clock } from '#lib/time/stamp.ts'
import type { DeviceValues } from '#app/config/device-values.ts'
import type { Keys } from '#app/session/state/keys.ts'
import { type Network, startSyncLater } from '#app/network/network.ts'
import { limitUnlocking, openTries } from '#app/session/lock/tries.ts'
import { openSealer } from './open-sealed.ts'
import type { DeviceSessions } from '#app/session/state/session-store.ts'
import { keepAwake, value$ } from '#app/network/device-signals.ts'
import { shareNotices, type LocalNotices, type SyncNotices } from '#app/shell/shared-notices.ts'

/**
 * `openKeys` is also exported here, so that it is in the chunk of this file. A chunk of its own would cost a slow phone
 * 10 ms at each start (decisions/speed).
 */
export { openKeys } from '#app/session/state/keys.ts'

export interface OpenUserData extends LocalNotices {
  session: Session
  network: Network
  sessions: DeviceSessions
  values: DeviceValues
  keys: Keys
  clock: Clock
  report: (problem: string) => void
  /** Called if the stores have rows that this app did not write. Such rows are not used. */
  refused?: () => void
  /** Called once the database can be read, while the rest of the data is still being opened. */
  readable?: (live: UserData['live']) => void
  /** Resolves once the first screen with this data is painted. */
  firstPaint: Promise<void>
  waits: () => void
}

export interface OpenedUserData extends Omit<UserData, 'saved' | 'painted'> {
  close(): Promise<void>
}

type Sealing = { sealer: Sealer; refused: Refused }

/** Maximum time that a lock or logout waits for photos that are being read and would be lost (sync RULES SV1). */
const PHOTO_WAIT_MS = 10_000

export async function openUserData(parts: OpenUserData): Promise<OpenedUserData> {
  const user = await databaseName(parts.session.userInfo.id, parts.network.scope)
  const { name, sealer, isCurrent, forget } = await openSealer(user, parts.keys)
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
    if (!(await isCurrent())) {
      await stores.db.close()
      throw new SealError('no-key', 'keys')
    }
    const opened = await open(stores, { sealer, refused }, parts)
    return { ...opened, close: () => opened.close().finally(forget) }
  } catch (error) {
    stores.release()
    throw error
  }
}

async function open({ db, release }: OpenedStores, sealing: Sealing, parts: OpenUserData) {
  const { session, values, clock, report, firstPaint } = parts
  const { scope } = parts.network
  const live = createLiveQueries(db)
  parts.readable?.(live)
  const sealed = { databaseName: db.name, now: clock.now, ...sealing }
  const [bytes, answers] = [openPhotoBytes(sealed), openAnswerCache(sealed)]
  const lockedDataTabs = new BroadcastChannel(`genba-locked-${userOf(db.name)}`)
  const drafts = createFormDrafts({ db, bytes })
  // An open form that does not show a draft that came back would overwrite it.
  lockedDataTabs.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isReturnedDraft(data)) drafts.returned(data.draft)
  })
  const openingLockedData = openLocked(lockedDataTabs, { db, bytes }, parts)
  await observeStamps(db, clock)
  void firstPaint.then(() => answers.expire(clock.now()))
  const place = { db, bytes, clock, newId: () => crypto.randomUUID() }
  const saver = { ...place, userId: session.userInfo.id, offline: !navigator.onLine }
  // Completes saves that a crash has interrupted. If the device is full, the error is reported and the data opens
  // anyway.
  const settled = settleDrafts(saver, (problem) => report(String(problem)))
  // Asks the browser not to evict the data when space is short. The answer changes nothing.
  void navigator.storage?.persist?.()
  const tabs = createTabChannel(`genba-tabs-${db.name}`)
  const { stop: stopNotices, ...notices } = shareNotices(tabs, parts)
  const sync = startSyncLater(firstPaint, syncPartsOf(parts, { db, bytes, answers, tabs, ...notices }))
  const [lockedData] = await Promise.all([openingLockedData, settled])
  const { visible$ } = parts.network
  const letSleep = keepAwake({ progress$: photoProgress$(db), wakeLock: navigator.wakeLock, visible$ })
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
      stopNotices()
      await drafts.taken(PHOTO_WAIT_MS)
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

/** Message to the other tabs: the key of a draft that came back from locked data. */
type ReturnedDraft = { draft: string }
const isReturnedDraft = (data: unknown): data is ReturnedDraft =>
  typeof data === 'object' && data !== null && 'draft' in data && typeof data.draft === 'string'

const openLocked = (
  tabs: BroadcastChannel,
  opened: Pick<UserData, 'db' | 'bytes'>,
  { keys, clock, report }: OpenUserData,
) =>
  openLockedData({
    ...opened,
    indexedDB,
    ranges: IDBKeyRange,
    locks: navigator.locks,
    tabs,
    returned: (draft) => tabs.postMessage({ draft } satisfies ReturnedDraft),
    keys,
    clock,
    openBytes: (stores, sealer) => openPhotoBytes({ databaseName: stores, now: clock.now, sealer }),
    about: () => ({ made: new Date(clock.now()).toISOString(), app: __APP_VERSION__ }),
    report: (problem) => report(String(problem)),
  })

/** Reports each refused row once, and calls `refused` only for the first, because lists are read repeatedly. */
function refusedOnce({ report, refused }: Pick<OpenUserData, 'report' | 'refused'>): Refused {
  const reported = new Set<string>()
  return ({ message }) => {
    if (reported.has(message)) return
    if (reported.size === 0) refused?.()
    reported.add(message)
    report(message)
  }
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
    // The page reloads, because it may have missed writes of other tabs. Typed input stays as a draft.
    leadershipLost: () => location.reload(),
  }
}

/** Memory of the CRM's trusted time, by which data expires (sync RULES EX3). All users of the device share it. */
export const trustedTime = ({
  values,
  network: { scope },
  report,
}: Pick<OpenUserData, 'values' | 'report'> & { network: Pick<Network, 'scope'> }) => ({
  get: () => values.get('time', scope),
  set: (text: string) =>
    void values.set('time', text, scope).catch((error: unknown) => report(String(error))),
})

/** Makes new stamps higher than those of unsent changes, even if the clock's stored stamp was lost. */
async function observeStamps(db: Database, clock: Clock) {
  const unsent = { selector: { unsent: 'yes' as const } }
  // The screens' query, so that a start reads the changes once.
  const [photos, changes] = await Promise.all([db.photos.find(unsent).exec(), db.changes.find().exec()])
  for (const { stamp } of [...photos, ...changes]) clock.observe(stamp)
}

const sessionValid$ = (sessions: DeviceSessions, userId: string) =>
  value$(sessions).pipe(map((session) => session?.userInfo.id === userId && !session.expired))
