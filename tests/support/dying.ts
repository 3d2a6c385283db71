/** A page that dies in the middle of what it writes. */
import { IDBDatabase } from 'fake-indexeddb'
import { vi } from 'vitest'

/** From now on writes to these databases fail, as of a page that dies. @returns what ends that */
export function dyingAt(names: RegExp, isDead: () => boolean = () => true): () => void {
  const { transaction } = IDBDatabase.prototype
  const spy = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
    this: IDBDatabase,
    ...args
  ) {
    if (args[1] === 'readwrite' && names.test(this.name) && isDead())
      throw new DOMException('killed', 'AbortError')
    return transaction.apply(this, args)
  })
  return () => spy.mockRestore()
}

/**
 * Dies at the first write to these databases, then at the second, …, until nothing is left to do.
 * @returns how often it died
 */
export async function killedOnTheWay(names: RegExp, run: () => Promise<unknown>): Promise<number> {
  for (let kills = 0; ; kills += 1) {
    let writes = 0
    const revive = dyingAt(names, () => (writes += 1) > kills)
    const isDone = await run().then(
      () => true,
      () => false,
    )
    revive()
    if (isDone) return kills
  }
}
