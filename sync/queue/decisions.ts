/**
 * What the user asks of a change in 送信状況. Screens set a wish on the ledger's row; here it is carried out, under the
 * send lock, so that nothing is discarded while it is being sent. The wish itself is taken back last: what a crash cuts
 * short is done again.
 */
import { CREATING_KINDS, hangsOnCreating, isCreating, isInDoubt } from '#schemas/change-queue.ts'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { Ledger } from './ledger.ts'
import type { QueueStore } from './queue-store.ts'
import { withHistory } from '../merge/merge-edit.ts'
import { resourceOf, withoutSettled } from '../resources/resource-table.ts'
import { sendLock } from './sender.ts'
import { isoNow } from './unsent.ts'
import type { Locks } from '../leadership/hold.ts'

interface Parts {
  store: QueueStore
  locks: Locks
  now: () => number
}

export interface Decisions {
  /** Carries out every wish that is set. */
  grant(entries: readonly LedgerEntry[]): Promise<void>
}

export const createDecisions = ({ store, locks, now }: Parts): Decisions => ({
  grant: (entries) =>
    locks.request(sendLock(store), async (hold) => {
      const held = store.within(hold)
      for (const { id } of entries)
        await carryOut(held.ledger, id, now, {
          mayBeMadeTwice: ({ kind }) => CREATING_KINDS.includes(kind),
          resent: ({ resource, recordKey }) => touch(held, resource, recordKey),
          discard: (entry) => discard(held, entry, now),
        })
    }),
})

interface Wished {
  /** What may have arrived is looked for before it leaves again (RULES OC6). */
  mayBeMadeTwice(entry: LedgerEntry): boolean
  resent?(entry: LedgerEntry): Promise<void>
  discard(entry: LedgerEntry): Promise<void>
}

/** Carries out what is wished for one row, of a record or a photo, as it is on disk now. */
export async function carryOut(
  ledger: Ledger,
  id: string,
  now: () => number,
  { mayBeMadeTwice, resent, discard: discarding }: Wished,
): Promise<void> {
  const entry = (await ledger.read([id])).get(id)
  if (!entry || entry.wish === 'none') return
  // its state is the last word on it: 再送 of what another tab has discarded meanwhile has nothing to send
  if (entry.state === 'accepted' || (entry.state === 'discarded' && entry.wish === 'resend'))
    return ledger.granted(id, entry.wish)
  if (entry.wish === 'discard') return discarding(entry)
  // a day from now, and not less than was left: by a clock that is behind it would be over at once (RULES EX3)
  const savedAt = [entry.savedAt, isoNow({ now })].toSorted().at(-1) ?? ''
  const facts = { reasons: [], status: 0, savedAt, serverErrors: 0 }
  await ledger.tell(id, mayBeMadeTwice(entry) ? 'resentInDoubt' : 'resent', facts)
  await resent?.(entry)
  await ledger.granted(id, 'resend')
}

/** The only way a change dies unsent (RULES SV3); what waits for it dies with it. */
async function discard(store: QueueStore, entry: LedgerEntry, now: () => number) {
  const discarded = (id: string) =>
    store.ledger.tell(id, 'discarded', { wish: 'none', settledAt: isoNow({ now }) })
  const record = await store.record(entry.resource, entry.recordKey)
  const change = record?.changes.find(({ id }) => id === entry.id)
  if (record && change) {
    const left = changesLeft(record, change)
    const rows = await store.ledger.read(record.changes.map(({ id }) => id))
    // what was accepted, and the record does not know of yet, is settled and not discarded (RULES OC1)
    const goes = record.changes.filter(
      (each) => !left.includes(each) && rows.get(each.id)?.state !== 'accepted',
    )
    const gone = goes.map(({ id }) => id)
    const mayHaveArrived = goes.filter(
      ({ id, kind }) => !CREATING_KINDS.includes(kind) && isInDoubt({ ledger: rows.get(id) }),
    )
    const { edits } = resourceOf(entry.resource)
    for (const id of gone.filter((each) => each !== entry.id)) await discarded(id)
    await store.modify(entry.resource, entry.recordKey, (latest) => {
      // what was saved meanwhile stays, and the record with it (RULES SV3)
      const changes = latest.changes.filter(({ id }) => !gone.includes(id))
      if (changes.length === 0 && !latest.server) return null
      // nobody looks for it any more: what it may have replaced is in the history from now on (RULES MG2)
      const told = edits
        ? mayHaveArrived.reduce((each, sent) => withHistory(edits, each, sent), latest)
        : latest
      return { ...told, changes, unsent: changes.length > 0 ? 'yes' : 'no' }
    })
  }
  await discarded(entry.id)
}

/**
 * What a record still holds without this change; without what creates it, unless that was saved anew, only what was saved on
 * the record that the CRM has all the same (RULES OR3).
 */
function changesLeft(record: PushableRecord, change: AnyChange): AnyChange[] {
  const isSavedAnew = record.changes.some((other) => isCreating(other) && other.stamp > change.stamp)
  const left = withoutSettled(record.changes, change)
  return isCreating(change) && !isSavedAnew ? left.filter((other) => !hangsOnCreating(record, other)) : left
}

/** Writes a record again as it is, so that RxDB's push sees it (RULES trap 3). */
export const touch = (store: QueueStore, resource: string, key: string): Promise<void> =>
  store.modify(resource, key, (record) => record)
