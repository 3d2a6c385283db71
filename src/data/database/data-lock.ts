/**
 * Web Locks on a user's stores. A tab that uses the stores takes a shared lock. Code that clears or migrates the stores
 * takes an exclusive lock, so it never clears what a tab has just saved (sync RULES SV3).
 */

/** `navigator.locks`, or undefined in a browser without Web Locks: then no lock is taken. */
export type DataLocks = Pick<LockManager, 'request'> | undefined

const lockOf = (name: string) => `genba-data-${name}`

/** Number of tries of `withoutData`. Other tabs close their stores a moment after a logout. */
const TRIES = 20
const BETWEEN_MS = 250

/**
 * Takes the shared lock of a user's stores. Waits while another tab clears or migrates the stores.
 * @param name `genba-<hash>`
 * @returns a function that releases the lock
 */
export function acquireDataLock(locks: DataLocks, name: string): Promise<() => void> {
  if (!locks) return Promise.resolve(() => undefined)
  return new Promise((resolve, reject) => {
    const untilReleased = () => new Promise<void>((release) => resolve(release))
    locks.request(lockOf(name), { mode: 'shared' }, untilReleased).catch(reject)
  })
}

/**
 * Runs `run` while no tab has the stores open. Does nothing if a tab still has them open after all tries.
 * @param isWanted checked before each try, because another tab may have done the work meanwhile
 */
export async function withoutData(
  locks: DataLocks,
  name: string,
  run: () => Promise<void>,
  isWanted: () => Promise<boolean> = async () => true,
): Promise<void> {
  if (!locks) return (await isWanted()) ? run() : undefined
  for (let tried = 1; tried <= TRIES && (await isWanted()); tried += 1) {
    const isDone = await locks.request(lockOf(name), { ifAvailable: true }, async (lock) => {
      if (lock) await run()
      return lock !== null
    })
    if (isDone) return
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS))
  }
}

/** Milliseconds to wait for other tabs before the user is asked to close them. */
const WAITS_AFTER_MS = 2_000

interface Waiting {
  /** Called when another tab blocks the lock for longer than WAITS_AFTER_MS. */
  waits: () => void
  /** Milliseconds until the wait fails; without it, the wait is unlimited. */
  patienceMs?: number
}

/**
 * Runs `run` under the exclusive lock, once no tab has the stores open.
 * @throws TimeoutError after `patienceMs`
 */
export async function aloneWithData(
  locks: DataLocks,
  name: string,
  run: () => Promise<void>,
  { waits, patienceMs }: Waiting,
): Promise<void> {
  if (!locks) return run()
  const waitsTimer = setTimeout(waits, WAITS_AFTER_MS)
  const options = {
    mode: 'exclusive',
    ...(patienceMs !== undefined && { signal: AbortSignal.timeout(patienceMs) }),
  } as const
  try {
    await locks.request(lockOf(name), options, () => {
      clearTimeout(waitsTimer)
      return run()
    })
  } finally {
    clearTimeout(waitsTimer)
  }
}

/** True if any tab has the stores open, or is clearing or migrating them. */
export async function isOpen(locks: DataLocks, name: string): Promise<boolean> {
  return locks ? locks.request(lockOf(name), { ifAvailable: true }, (lock) => lock === null) : false
}
