/**
 * What the user asks of a change in 送信状況. Screens set a wish on the ledger's row; here it is carried out, under the
 * send lock, so that nothing is discarded while it is being sent.
 */
import { CREATING_KINDS } from '#schemas/change-queue.ts'
import type { AnyChange, PushableRecord } from '#schemas/change.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { QueueStore } from './queue-store.ts'
import { withoutSettled } from './resources.ts'
import { sendLock } from './sender.ts'
import type { Locks } from './transport/locks.ts'

interface Parts {
  store: QueueStore
  locks: Locks
  now: () => number
}

export interface Wishes {
  /** Carries out every wish that is set. */
  grant(entries: readonly LedgerEntry[]): Promise<void>
}

export function createWishes({ store, locks, now }: Parts): Wishes {
  const { ledger } = store
  const isoNow = () => new Date(now()).toISOString()

  async function resend(entry: LedgerEntry) {
    // what may have reached the CRM is read back before it is posted again (RULES OC6)
    const state = CREATING_KINDS.includes(entry.kind) ? 'unknown' : 'waiting'
    await ledger.patch(entry.id, { wish: 'none', state, reasons: [], savedAt: isoNow(), serverErrors: 0 })
    await touch(store, entry.resource, entry.recordKey)
  }

  /** The only way a change dies unsent (RULES SV3); what waits for it dies with it. */
  async function discard(entry: LedgerEntry) {
    const record = await store.record(entry.resource, entry.recordKey)
    const change = record?.changes.find(({ id }) => id === entry.id)
    await ledger.patch(entry.id, { wish: 'none', state: 'discarded', settledAt: isoNow() })
    if (!record || !change) return
    const left = changesLeft(record, change)
    const gone = record.changes.filter((each) => !left.includes(each))
    for (const { id } of gone)
      await ledger.patch(id, { wish: 'none', state: 'discarded', settledAt: isoNow() })
    if (left.length === 0 && !record.server) return store.remove(entry.resource, entry.recordKey)
    await store.modify(entry.resource, entry.recordKey, (latest) => {
      const changes = latest.changes.filter(({ id }) => !gone.some((each) => each.id === id))
      return { ...latest, changes, unsent: changes.length > 0 ? 'yes' : 'no' }
    })
  }

  return {
    async grant(entries) {
      await locks.request(sendLock(store), async () => {
        for (const entry of entries) {
          const current = (await ledger.read([entry.id])).get(entry.id)
          if (!current || current.wish === 'none') continue
          if (current.state === 'accepted') await ledger.patch(entry.id, { wish: 'none' })
          else if (current.wish === 'resend') await resend(current)
          else await discard(current)
        }
      })
    },
  }
}

/** What a record still holds without this change; without what creates it, nothing. */
const changesLeft = (record: PushableRecord, change: AnyChange): AnyChange[] =>
  CREATING_KINDS.includes(change.kind) && !record.server ? [] : withoutSettled(record.changes, change)

/** Writes a record again as it is, so that RxDB's push sees it (RULES trap 3). */
export const touch = (store: QueueStore, resource: string, key: string): Promise<void> =>
  store.modify(resource, key, (record) => record)
