/**
 * Who has a user's stores open: each tab holds the lock beside the others, and whoever clears the stores holds it alone. So
 * nothing that a tab has just saved is cleared away under it (sync RULES SV3).
 */
export type DataLocks = Pick<LockManager, 'request'> | undefined

const lockOf = (name: string) => `genba-data-${name}`

/** Other tabs close theirs a moment after the logout. */
const TRIES = 20
const BETWEEN_MS = 250

/** @param name `genba-<hash>` @returns what gives it back, once it is held: at once, unless the stores are being cleared */
export function acquireDataLock(locks: DataLocks, name: string): Promise<() => void> {
  if (!locks) return Promise.resolve(() => undefined)
  return new Promise((resolve, reject) => {
    const held = () => new Promise<void>((release) => resolve(release))
    locks.request(lockOf(name), { mode: 'shared' }, held).catch(reject)
  })
}

/**
 * Runs while no tab has the stores open; not at all where one does.
 * @param isWanted asked before each try: another tab may have done it
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

/** How long another tab may take to close before its user is told. */
const TOLD_AFTER_MS = 2_000

interface Patience {
  /** Told where another tab holds it up. */
  waits: () => void
  /** For ever, where nothing is said. */
  patienceMs?: number
}

/** Runs once no tab has the stores open. @throws where that took too long */
export async function aloneWithData(
  locks: DataLocks,
  name: string,
  run: () => Promise<void>,
  { waits, patienceMs }: Patience,
): Promise<void> {
  if (!locks) return run()
  const telling = setTimeout(waits, TOLD_AFTER_MS)
  const options = {
    mode: 'exclusive',
    ...(patienceMs !== undefined && { signal: AbortSignal.timeout(patienceMs) }),
  } as const
  try {
    await locks.request(lockOf(name), options, () => {
      clearTimeout(telling)
      return run()
    })
  } finally {
    clearTimeout(telling)
  }
}

/** Whether a tab has the stores open, or clears them. */
export async function isOpen(locks: DataLocks, name: string): Promise<boolean> {
  return locks ? locks.request(lockOf(name), { ifAvailable: true }, (lock) => lock === null) : false
}
