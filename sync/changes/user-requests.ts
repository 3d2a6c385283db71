/**
 * Applies the user's requests 再送 and 破棄 from 送信状況: to changes here, and to photos in `photos/send-photo.ts`, which calls
 * `applyUserRequest`. A screen stores a request in the field `wish` of the change or photo. The sender applies the request
 * under the lock of sending, so that nothing is discarded while it is being sent. `wish` is reset last, so that a crash
 * only repeats the work.
 */
import { isCreating, changesDiscardedWith } from '#schemas/changes/change-queue.ts'
import type { SendFacts } from '#schemas/change.ts'
import type { SendStates } from './send-states.ts'
import { sendLock, type QueueStore } from './change-store.ts'
import { isoNow } from './unsent.ts'
import type { Locks } from '#sync/leadership/lease.ts'

interface Parts {
  store: QueueStore
  locks: Locks
  now: () => number
}

/** Applies the stored requests of these changes. */
export const applyUserRequests =
  ({ store, locks, now }: Parts) =>
  (ids: readonly string[]): Promise<void> =>
    locks.request(sendLock(store), async (lease) => {
      const leased = store.within(lease)
      for (const id of ids)
        await applyUserRequest(leased.states, id, now, {
          needsReadBack: isCreating,
          discard: (entry) => discard(leased, entry, now),
        })
    })

interface RequestActions {
  /** True if the item must be read back before it is sent again, because the CRM could create it twice (RULES OC6). */
  needsReadBack(entry: SendFacts): boolean
  discard(entry: SendFacts): Promise<void>
}

/** Applies the request of one change or photo, as it is on disk now. */
export async function applyUserRequest(
  states: SendStates,
  id: string,
  now: () => number,
  { needsReadBack, discard: discarding }: RequestActions,
): Promise<void> {
  const entry = (await states.read([id])).get(id)
  if (!entry || entry.wish === 'none') return
  // the item is in the CRM, or another tab has discarded it meanwhile, so there is nothing to send
  if (entry.state === 'accepted' || (entry.state === 'discarded' && entry.wish === 'resend'))
    return states.clearWish(id, entry.wish)
  if (entry.wish === 'discard') return discarding(entry)
  // The item has 24 hours again from now. The later of the two times is used, so that a device clock that is behind cannot
  // shorten them (RULES EX3).
  const waitingSince = [entry.waitingSince, isoNow({ now })].toSorted().at(-1) ?? ''
  const facts = { reasons: [], status: 0, waitingSince, serverErrors: 0 }
  await states.putById(id, needsReadBack(entry) ? 'resentInDoubt' : 'resent', facts)
  await states.clearWish(id, 'resend')
}

/**
 * The only code that discards an unsent change (RULES SV3). The changes that depend on this change, and those that this
 * change had replaced, are discarded with it.
 */
async function discard(store: QueueStore, entry: SendFacts, now: () => number): Promise<void> {
  const record = await store.record(entry.resource, entry.recordKey)
  const change = record?.changes.find(({ id }) => id === entry.id)
  const facts = { wish: 'none' as const, settledAt: isoNow({ now }) }
  if (!record || !change) return store.states.putById(entry.id, 'discarded', facts)
  const discarded = [change, ...changesDiscardedWith(record, change)]
  const items = discarded.map((each) => ({ record, change: each, progress: undefined }))
  await store.states.put(items, 'discarded', facts)
}
