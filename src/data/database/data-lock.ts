/**
 * Web Locks for a user's stores. A tab that uses the stores holds a shared lock. Clearing or migrating the stores needs
 * the exclusive lock, so that nothing is deleted that a tab has just saved (sync RULES SV3).
 */

/** `navigator.locks`; undefined in browsers without Web Locks, where no lock is taken. */
export type DataLocks = Pick<LockManager, 'request'> | undefined

const lockOf = (name: string) => `genba-data-${name}`

/** `withoutData` tries several times, because other tabs close their stores only shortly after a logout. */
const TRIES = 20
const BETWEEN_MS = 250

/**
 * Takes the shared lock of a user's stores. Waits until no other tab clears or migrates the stores.
 * @param name name of the stores (`storesName`)
 * @returns a function that releases the lock
 */
export function acquireDataLock(locks: DataLocks, name: string): Promise<() => void> {
  if (!locks) return Promise.resolve(() => undefined)
  return new Promise((resolve, reject) => {
    const untilReleased = () => new Promise<void>((release) => resolve(release))
    locks.request(lockOf(name), { mode: 'shared' }, untilReleased).catch(reject)
  })
}

/** Calls `run` while no tab has the stores open. Gives up after some tries. */
export async function withoutData(locks: DataLocks, name: string, run: () => Promise<void>): Promise<void> {
  if (!locks) return run()
  for (let tried = 1; tried <= TRIES; tried += 1) {
    const isDone = await locks.request(lockOf(name), { ifAvailable: true }, async (lock) => {
      if (lock) await run()
      return lock !== null
    })
    if (isDone) return
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
  }
}

/** Milliseconds of waiting after which the user is asked to close other tabs. */
const WAITS_AFTER_MS = 2_000

interface Waiting {
  /** Called if another tab blocks the lock for longer than WAITS_AFTER_MS. */
  waits: () => void
  /** Milliseconds after which the wait fails; unlimited by default. */
  patienceMs?: number
}

/** Calls `run` under the exclusive lock, once no tab has the stores open. @throws TimeoutError after `patienceMs` */
export async function aloneWithData(
  locks: DataLocks,
  name: string,
  run: () => Promise<void>,
  { waits, patienceMs }: Waiting,
): Promise<void> {
  if (!locks) return run()
  const late = new AbortController()
  const isLate = () => late.abort(new DOMException(`${name} is open`, 'TimeoutError'))
  const timers = [
    setTimeout(waits, WAITS_AFTER_MS),
    ...(patienceMs === undefined ? [] : [setTimeout(isLate, patienceMs)]),
  ]
  const stopTimers = () => timers.forEach((timer) => clearTimeout(timer))
  try {
    await locks.request(lockOf(name), { mode: 'exclusive', signal: late.signal }, () => {
      stopTimers()
      return run()
    })
  } finally {
    stopTimers()
  }
}

/** True if any tab uses, clears or migrates the stores. */
export async function isOpen(locks: DataLocks, name: string): Promise<boolean> {
  return locks ? locks.request(lockOf(name), { ifAvailable: true }, (lock) => lock === null) : false
}
