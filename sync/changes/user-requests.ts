/**
 * Applies the user's requests 再送 and 破棄 from 送信状況. A screen stores a request in the field `wish` of the change or
 * photo. Requests are applied under the send lock, so that no item is discarded while it is being sent. `wish` is
 * reset last, so that a crash only repeats the work.
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
  /** True if the CRM could create the item twice, so that it must be read back before 再送 sends it (RULES OC6). */
  needsReadBack(entry: SendFacts): boolean
  discard(entry: SendFacts): Promise<void>
}

export async function applyUserRequest(
  states: SendStates,
  id: string,
  now: () => number,
  { needsReadBack, discard: discarding }: RequestActions,
): Promise<void> {
  const entry = (await states.read([id])).get(id)
  if (!entry || entry.wish === 'none') return
  if (entry.state === 'accepted' || (entry.state === 'discarded' && entry.wish === 'resend'))
    return states.clearWish(id, entry.wish)
  if (entry.wish === 'discard') return discarding(entry)
  // The 24 hours for sending start again now. If the device's clock was set back, they start at the previous, later
  // time, because they would otherwise be shorter (RULES EX3).
  const waitingSince = [entry.waitingSince, isoNow({ now })].toSorted().at(-1) ?? ''
  const facts = { reasons: [], status: 0, waitingSince, serverErrors: 0 }
  await states.putById(id, needsReadBack(entry) ? 'resentInDoubt' : 'resent', facts)
  await states.clearWish(id, 'resend')
}

/**
 * Discards an unsent change, with the changes that depend on it and those that it had replaced. No other code
 * discards unsent changes (RULES SV3).
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
