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
export function holdData(locks: DataLocks, name: string): Promise<() => void> {
  if (!locks) return Promise.resolve(() => undefined)
  return new Promise((resolve, reject) => {
    const held = () => new Promise<void>((release) => resolve(release))
    locks.request(lockOf(name), { mode: 'shared' }, held).catch(reject)
  })
}

/** Runs while no tab has the stores open; not at all where one does. */
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

/** Whether a tab has the stores open, or clears them. */
export async function isOpen(locks: DataLocks, name: string): Promise<boolean> {
  return locks ? locks.request(lockOf(name), { ifAvailable: true }, (lock) => lock === null) : false
}
