/**
 * What the user asks of a change in 送信状況. Screens set a wish on the change; here it is carried out, under the
 * send lock, so that nothing is discarded while it is being sent. The wish itself is taken back last: what a crash cuts
 * short is done again.
 */
import {
  CREATING_KINDS,
  goesWithDiscarded,
  type PendingRecord,
  type QueueItem,
} from '#schemas/changes/change-queue.ts'
import type { AnyChange } from '#schemas/change.ts'
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

/** Carries out every wish that is set of these changes. */
export const grantWishes =
  ({ store, locks, now }: Parts) =>
  (ids: readonly string[]): Promise<void> =>
    locks.request(sendLock(store), async (hold) => {
      const held = store.within(hold)
      for (const id of ids)
        await carryOut(held.states, id, now, {
          mayBeMadeTwice: ({ kind }) => CREATING_KINDS.includes(kind),
          discard: (entry) => discard(held, entry, now),
        })
    })

interface Wished {
  /** What may have arrived is looked for before it leaves again (RULES OC6). */
  mayBeMadeTwice(entry: SendFacts): boolean
  discard(entry: SendFacts): Promise<void>
}

/** Carries out what is wished for one row, of a record or a photo, as it is on disk now. */
export async function carryOut(
  states: SendStates,
  id: string,
  now: () => number,
  { mayBeMadeTwice, discard: discarding }: Wished,
): Promise<void> {
  const entry = (await states.read([id])).get(id)
  if (!entry || entry.wish === 'none') return
  // its state is the last word on it: 再送 of what another tab has discarded meanwhile has nothing to send
  if (entry.state === 'accepted' || (entry.state === 'discarded' && entry.wish === 'resend'))
    return states.granted(id, entry.wish)
  if (entry.wish === 'discard') return discarding(entry)
  // a day from now, and not less than was left: by a clock that is behind it would be over at once (RULES EX3)
  const waitingSince = [entry.waitingSince, isoNow({ now })].toSorted().at(-1) ?? ''
  const facts = { reasons: [], status: 0, waitingSince, serverErrors: 0 }
  await states.tell(id, mayBeMadeTwice(entry) ? 'resentInDoubt' : 'resent', facts)
  await states.granted(id, 'resend')
}

/** The only way a change dies unsent (RULES SV3); what waits for it dies with it, and what it had replaced. */
async function discard(store: QueueStore, entry: SendFacts, now: () => number) {
  const record = await store.record(entry.resource, entry.recordKey)
  const change = record?.changes.find(({ id }) => id === entry.id)
  const facts = { wish: 'none' as const, settledAt: isoNow({ now }) }
  if (!record || !change) return store.states.tell(entry.id, 'discarded', facts)
  const goes = [change, ...goesWithDiscarded(record, change)]
  await store.states.put(
    goes.map((each) => itemOf(record, each)),
    'discarded',
    facts,
  )
}

const itemOf = (record: PendingRecord, change: AnyChange): QueueItem => ({
  record,
  change,
  state: 'waiting',
  ledger: undefined,
  heldBy: undefined,
})
