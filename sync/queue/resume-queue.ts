import { PHOTOS } from '#schemas/photo-queue.ts'
import type { QueueStore } from './queue-store.ts'
import { sendLock } from './sender.ts'
import type { Locks } from '../leadership/hold.ts'
import { touch } from './decisions.ts'

/**
 * After a start: a `sending` that a crash left is in doubt (RULES OC3), and of each collection with something unsent one
 * record is touched, because RxDB's own checkpoint goes by a clock that may have been set back (trap 3). One is enough: a
 * push sends whatever waits, of all collections, and each touch is a strict write.
 */
export async function resumeQueue(store: QueueStore, locks: Locks, now: () => number) {
  await locks.request(sendLock(store), async (hold) => {
    const { ledger } = store.within(hold)
    for (const { id, state } of (await ledger.read()).values())
      if (state === 'sending') await ledger.doubt(id)
  })
  await purgeLedger(store, now())
  const oneOfEach = new Map((await store.pending()).map(({ resource, key }) => [resource, key]))
  for (const [resource, key] of oneOfEach) await touch(store, resource, key)
}

/** The ledger without what is over; rows of photos are another's affair (`purge.ts`). */
export async function purgeLedger({ ledger, pending }: QueueStore, now: number) {
  const changes = (await pending()).flatMap((record) => record.changes.map(({ id }) => id))
  const inUse = new Set(changes)
  await ledger.purge(now, ({ id, resource }) => resource === PHOTOS || inUse.has(id))
}
