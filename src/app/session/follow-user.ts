/** Opens and closes the data of the signed-in user, and deletes data that other users have left on the device. */
import { i18n } from '@lingui/core'
import type { Session } from '#schemas/device/session.ts'
import { userOf } from '#data/database/database-name.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'
import type { LockState, Services, UserData } from '#data/context/app-context.tsx'
import { type ValueStore, type WritableStore, signal } from '#lib/value-store.ts'
import { loadUntilThere } from '#lib/browser/missing-code.ts'
import { mayEnter } from '#lib/permission.ts'
import type { CrmClock } from '#app/network/crm-clock.ts'
import type { Network } from '#app/network/network.ts'
import type { Page } from '#app/session/state/device.ts'
import type { StoresState, NotifyStores } from '#app/shell/store-notifications.ts'
import type { OpenedUserData, OpenUserData } from './user-data.ts'

export interface FollowUser extends Page {
  notifyStores: NotifyStores
  update: { applyWhenReady(): void }
  lock: ValueStore<LockState>
  userData: WritableStore<UserData | null>
  services: Services
  crmClock: CrmClock
  networkIdle: Promise<void>
}

const permittedUserId = (session: Session | null): string | null =>
  session && mayEnter(session.userInfo.userFlag) ? session.userInfo.id : null

/** Opens the signed-in user's data, closes it after the logout, and deletes the data of all other users. */
export function followUser(parts: FollowUser) {
  const { sessions, lock, userData, memory, report } = parts
  void parts.firstPaint.then(() => sweep(parts)).catch(report)
  let opened: OpenedUserData | null = null
  let openedUserId: string | null = null
  let previousUserId: string | null = null
  let stopNotices = () => undefined as void
  let running = Promise.resolve()
  let isSuspended = false
  const userToOpen = () => (isSuspended || lock.get() !== 'open' ? null : permittedUserId(sessions.get()))
  const follow = async () => {
    const session = sessions.get()
    const signedInId = permittedUserId(session)
    const userId = userToOpen()
    if (signedInId === null) memory.clear()
    // True if the previous user has logged out or another user has logged in. Locking the screen does not count.
    const hasUserChanged = previousUserId !== null && signedInId !== previousUserId
    previousUserId = signedInId
    if (hasUserChanged) parts.services.flash.clear()
    if (userId === openedUserId && !hasUserChanged) return
    openedUserId = userId
    userData.set(null)
    stopNotices()
    await opened?.close()
    if (opened) notifyFull(parts, false)
    opened = null
    if (hasUserChanged) memory.clear()
    if (hasUserChanged) void sweep(parts).catch(report)
    if (!session || userId === null) return
    const code = await loadUntilThere(async () => (userToOpen() === userId ? loadCode(parts) : null))
    if (!code) return
    const [{ openUserData }, { notifyUser }, network, keys] = code
    const painted = signal()
    opened = await openUserData({ ...userParts(parts, session, network), keys, firstPaint: painted.done })
    parts.notifyStores('open')
    const { saved, stop } = notifyUser(parts.services, network, opened)
    stopNotices = stop
    const { close: _, ...data } = opened
    userData.set({ ...data, saved, painted: painted.resolve })
    afterPaint(parts, painted.done, opened)
  }
  const followNext = () =>
    void (running = running.then(follow).catch((error: unknown) => notOpened(parts, error)))
  for (const store of [sessions, lock]) store.subscribe(followNext)
  followNext()
  return {
    followed: () => running,
    /** Closes the user's data, so that a new version can migrate the data. @returns a function that opens it again */
    async suspend() {
      isSuspended = true
      followNext()
      await running
      return () => {
        isSuspended = false
        followNext()
      }
    },
  }
}

const loadCode = (parts: FollowUser) =>
  Promise.all([
    import('./user-data.ts'),
    import('#app/shell/user-notifications.ts'),
    parts.network,
    parts.keys(),
  ])

async function sweep({ settings, values, keys, services, log, report }: FollowUser): Promise<void> {
  const [{ sweepUsers }, { databasesInUse }, { openReceivedStore }] = await Promise.all([
    import('./sweep-users.ts'),
    import('./signed-in.ts'),
    import('#data/received/received-store.ts'),
  ])
  await sweepUsers({
    indexedDB,
    locks: navigator.locks,
    keys: await keys(),
    signedIn: () => databasesInUse(settings.isNamed),
    keyed: () => databasesInUse(),
    now: services.clock.now,
    time: () => values.get('time', settings.get().scope),
    received: openReceivedStore(),
    report,
  })
  await log.expire()
}

type UserNotifications = typeof import('#app/shell/user-notifications.ts')

function userParts(
  parts: FollowUser,
  session: Session,
  network: Network,
): Omit<OpenUserData, 'keys' | 'firstPaint'> {
  const { sessions, values, services, report, crmClock } = parts
  const { clock, flash } = services
  const shared = { session, network, sessions, values, clock, crmClock, report }
  const show = (notify: (code: UserNotifications) => void) => () =>
    void import('#app/shell/user-notifications.ts').then(notify).catch(report)
  return {
    ...shared,
    storageFull: (isFull) => notifyFull(parts, isFull),
    truncated: show((code) => code.notifyTruncated(flash)),
    refused: show((code) => code.notifyRefusedRows(flash)),
    waits: () => parts.notifyStores('in-another-tab'),
    readable: (live) => void readAhead(live, parts).catch(report),
  }
}

/** Starts the query of the list if it is the first screen, so that the device reads while React renders. */
async function readAhead(live: UserData['live'], { memory, clock }: FollowUser): Promise<void> {
  if (location.pathname !== '/request') return
  const { CHOICE, readAheadOfList } = await import('#features/request/search/filter.ts')
  readAheadOfList(live, memory.store(CHOICE).get(), clock.now())
}

function afterPaint(parts: FollowUser, painted: Promise<void>, { db, sealer }: OpenedUserData): void {
  const { firstPaint, networkIdle, services, report } = parts
  void firstPaint
    .then(() => import('#app/shell/user-notifications.ts'))
    .then(({ notifyDefaultLock }) => notifyDefaultLock({ ...services, i18n }))
    .catch(report)
  void Promise.all([painted, networkIdle])
    .then(() => receive(parts, userOf(db.name), sealer))
    .catch(report)
}

/** Lets the phone share photos with this user, and shows how many shared photos wait (decisions/photos). */
async function receive({ services, userData }: FollowUser, user: string, sealer: Sealer): Promise<void> {
  const [{ ensureReceiver }, { openReceivedStore }, { notifyReceived }] = await Promise.all([
    import('#data/received/received-keys.ts'),
    import('#data/received/received-store.ts'),
    import('#messages/unsaved.ts'),
  ])
  const store = openReceivedStore()
  await ensureReceiver({ store, sealer, user }, services.clock.now())
  const count = (await store.waiting()).filter((photo) => photo.user === user).length
  // The screen /share needs no notice, because it lists the photos.
  if (userData.get()?.sealer === sealer && location.pathname !== '/share')
    notifyReceived(services.flash, i18n, count)
}

const notifyFull = ({ services: { flash }, report }: FollowUser, isFull: boolean) =>
  void import('#messages/unsaved.ts')
    .then(({ showStorageFull }) => showStorageFull(isFull, flash, i18n))
    .catch(report)

function notOpened({ report, notifyStores, update }: FollowUser, error: unknown): void {
  report(error)
  const name = error instanceof Error ? error.name : ''
  notifyStores(STATE_BY_ERROR[name] ?? 'not-opened')
  if (name === 'NewerStores') update.applyWhenReady()
}

const STATE_BY_ERROR: Readonly<Record<string, StoresState>> = {
  NewerStores: 'newer',
  MigrationFailed: 'not-moved',
  SealError: 'locked',
}
