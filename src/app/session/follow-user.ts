/** Opens and closes the data of the signed-in user, and clears what other users leave on the device. */
import { i18n } from '@lingui/core'
import type { Session } from '#schemas/device/session.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'
import type { LockState, Services, UserData } from '#data/context/app-context.tsx'
import type { ValueStore, WritableStore } from '#lib/value-store.ts'
import { loadUntilThere } from '#lib/browser/missing-code.ts'
import { mayEnter } from '#lib/permission.ts'
import { signal } from '#lib/signal.ts'
import type { CrmClock } from '#app/network/crm-clock.ts'
import type { Network } from '#app/network/network.ts'
import type { Page } from '#app/session/state/device.ts'
import type { StoresState, NotifyStores } from '#app/shell/store-notifications.ts'
import type { OpenedUserData, OpenUserData } from './user-data.ts'

export interface FollowUser extends Page {
  notifyStores: NotifyStores
  update: { applyWhenReady(): void }
  /** The user's data is open only while the screen is unlocked. */
  lock: ValueStore<LockState>
  userData: WritableStore<UserData | null>
  services: Services
  crmClock: CrmClock
  /** Resolves once the first list needs no more from the network. */
  networkIdle: Promise<void>
}

/** The user whose data may be on the device; null for a user without permission for its screens (spec 6). */
const ownerOf = (session: Session | null): string | null =>
  session && mayEnter(session.userInfo.userFlag) ? session.userInfo.id : null

/**
 * Opens the signed-in user's data, and closes it when another user, or nobody, is signed in. Data that others leave is cleared
 * then, and at each start.
 */
export function followUser(parts: FollowUser) {
  const { sessions, lock, userData, memory, report } = parts
  void parts.firstPaint.then(() => sweep(parts)).catch(report)
  let opened: OpenedUserData | null = null
  let openFor: string | null = null
  let lastOwner: string | null = null
  let stopNotices = () => undefined as void
  let turn = Promise.resolve()
  let isSuspended = false
  const userToOpen = () => (isSuspended || lock.get() !== 'open' ? null : ownerOf(sessions.get()))
  const follow = async () => {
    const session = sessions.get()
    const owner = ownerOf(session)
    const userId = userToOpen()
    if (owner === null) memory.clear()
    const isLeft = lastOwner !== null && owner !== lastOwner
    lastOwner = owner
    // the banners belong to the user who left
    if (isLeft) parts.services.flash.clear()
    if (userId === openFor && !isLeft) return
    openFor = userId
    userData.set(null)
    stopNotices()
    await opened?.close()
    if (opened) notifyFull(parts, false)
    opened = null
    if (isLeft) memory.clear()
    if (isLeft) void sweep(parts).catch(report)
    if (!session || userId === null) return
    const code = await loadUntilThere(async () => (userToOpen() === userId ? loadCode(parts) : null))
    // meanwhile locked, or another user is signed in
    if (!code) return
    const [{ openUserData }, { notifyUser }, net, keys] = code
    const painted = signal()
    opened = await openUserData({ ...userParts(parts, session, net), keys, firstPaint: painted.done })
    parts.notifyStores('open')
    const notices = notifyUser(parts.services, net, opened)
    stopNotices = notices.stop
    const { db, bytes, live, drafts, sealer, lockedData } = opened
    const { saved } = notices
    userData.set({ db, bytes, live, drafts, sealer, lockedData, saved, painted: painted.resolve })
    afterPaint(parts, painted.done, opened)
  }
  const queue = () => void (turn = turn.then(follow).catch((error: unknown) => notOpened(parts, error)))
  sessions.subscribe(queue)
  lock.subscribe(queue)
  queue()
  return {
    /** Closes the user's data for exclusive access. @returns opens it again */
    async suspend() {
      isSuspended = true
      queue()
      await turn
      return () => {
        isSuspended = false
        queue()
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

/** Deletes what other users, and users without permission, have left on the device (sync RULES EX6). */
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

function userParts(
  parts: FollowUser,
  session: Session,
  network: Network,
): Omit<OpenUserData, 'keys' | 'firstPaint'> {
  const { sessions, values, services, report, crmClock } = parts
  const { clock, flash } = services
  return {
    session,
    network,
    sessions,
    values,
    clock,
    crmClock,
    report,
    storageFull: (isFull) => notifyFull(parts, isFull),
    truncated: () =>
      void import('#app/shell/user-notifications.ts')
        .then(({ notifyTruncated }) => notifyTruncated(flash))
        .catch(report),
    refused: () =>
      void import('#app/shell/user-notifications.ts')
        .then(({ notifyRefusedRows }) => notifyRefusedRows(flash))
        .catch(report),
    waits: () => parts.notifyStores('in-another-tab'),
  }
}

/** Begins what the first screen with this data does not wait for. */
function afterPaint(parts: FollowUser, painted: Promise<void>, { db, sealer }: OpenedUserData): void {
  const { firstPaint, networkIdle, report } = parts
  void firstPaint.then(() => defaultLock(parts)).catch(report)
  void Promise.all([painted, networkIdle])
    .then(() => receive(parts, db.name, sealer))
    .catch(report)
}

const defaultLock = async ({ services }: FollowUser): Promise<void> =>
  (await import('#app/shell/user-notifications.ts')).notifyDefaultLock({ ...services, i18n })

/** Prepares for photos that the phone shares, and says which wait (decisions/photos). */
async function receive({ services, userData }: FollowUser, user: string, sealer: Sealer): Promise<void> {
  const [{ ensureReceiver }, { openReceivedStore }, { notifyReceived }] = await Promise.all([
    import('#data/received/received-keys.ts'),
    import('#data/received/received-store.ts'),
    import('#messages/received.ts'),
  ])
  const store = openReceivedStore()
  await ensureReceiver({ store, cryptography: crypto, sealer, user }, services.clock.now())
  const count = (await store.waiting()).filter((photo) => photo.user === user).length
  // the screen of these photos shows them itself
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
  notifyStores(STATES[name] ?? 'not-opened')
  if (name === 'NewerStores') update.applyWhenReady()
}

const STATES: Readonly<Record<string, StoresState>> = {
  NewerStores: 'newer',
  MigrationFailed: 'not-moved',
  SealError: 'locked',
}
