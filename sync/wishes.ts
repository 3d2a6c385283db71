/**
 * What the user asks of a change in 送信状況. Screens set a wish on the ledger's row; here it is carried out, under the
 * send lock, so that nothing is discarded while it is being sent.
 */
import { CREATING_KINDS } from '#schemas/change-queue.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { QuickReportRecord } from '#schemas/quick-report.ts'
import type { SyncDatabase } from './database.ts'
import { createLedger } from './ledger.ts'
import { withoutSettled } from './resources.ts'
import { sendLock } from './sender.ts'
import type { Locks } from './transport/locks.ts'

interface Parts {
  db: SyncDatabase
  locks: Locks
  now: () => number
}

export interface Wishes {
  /** Carries out every wish that is set. */
  grant(entries: readonly LedgerEntry[]): Promise<void>
}

export function createWishes({ db, locks, now }: Parts): Wishes {
  const ledger = createLedger(db)
  const isoNow = () => new Date(now()).toISOString()

  async function resend(entry: LedgerEntry) {
    // what may have reached the CRM is read back before it is posted again (RULES OC6)
    const state = CREATING_KINDS.includes(entry.kind) ? 'unknown' : 'waiting'
    await ledger.patch(entry.id, { wish: 'none', state, reasons: [], savedAt: isoNow(), serverErrors: 0 })
    await touch(db, entry.recordKey)
  }

  /** The only way a change dies unsent (RULES SV3); what waits for it dies with it. */
  async function discard(entry: LedgerEntry) {
    const doc = await db.quickReports.findOne(entry.recordKey).exec()
    const record = doc?.toMutableJSON()
    const change = record?.changes.find(({ id }) => id === entry.id)
    await ledger.patch(entry.id, { wish: 'none', state: 'discarded', settledAt: isoNow() })
    if (!doc || !record || !change) return
    const keepNone = CREATING_KINDS.includes(change.kind) && !record.server
    const left = keepNone ? [] : withoutSettled(record.changes, change)
    await ledgerGone(record, left)
    if (left.length === 0 && !record.server) await doc.incrementalRemove()
    else
      await doc.incrementalModify((latest) => {
        const changes = latest.changes.filter(
          ({ id }) => left.some((kept) => kept.id === id) || !record.changes.some((known) => known.id === id),
        )
        return { ...latest, changes, unsent: changes.length > 0 ? 'yes' : 'no' }
      })
  }

  /** Entries of the changes that go along. */
  async function ledgerGone(record: QuickReportRecord, left: readonly { id: string }[]) {
    const gone = record.changes.filter(({ id }) => !left.some((kept) => kept.id === id))
    for (const { id } of gone)
      await ledger.patch(id, { wish: 'none', state: 'discarded', settledAt: isoNow() })
  }

  return {
    async grant(entries) {
      await locks.request(sendLock(db), async () => {
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

/** Writes a record again as it is, so that RxDB's push sees it (RULES trap 3). */
export async function touch(db: SyncDatabase, key: string): Promise<void> {
  const doc = await db.quickReports.findOne(key).exec()
  await doc?.incrementalModify((record) => record)
}
