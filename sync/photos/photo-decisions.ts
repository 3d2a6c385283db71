/** 再送 and 破棄 of a photo, under its lock, so that nothing is discarded while it is being sent. */
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { Locks } from '../leadership/hold.ts'
import { mayBeDone } from '../queue/unsent.ts'
import { withPhotoLock } from './photo-lock.ts'
import { takeBack } from './photo-settle.ts'
import type { PhotoStore } from './photo-store.ts'

interface Parts {
  store: PhotoStore
  locks: Locks
  now: () => number
}

/** Carries out the decisions (`wish`) that are set on ledger rows of photos. */
export const grantPhotoWishes =
  (parts: Parts) =>
  async (entries: readonly LedgerEntry[]): Promise<void> => {
    const { now } = parts

    async function resend({ ledger }: PhotoStore, entry: LedgerEntry) {
      const { id, kind, payload } = entry
      // what may have reached the file store is looked for before it is sent again (RULES OC6)
      const isLeft = mayBeDone(entry) || (kind === 'upload' && payload !== '')
      const facts = { reasons: [], savedAt: new Date(now()).toISOString(), serverErrors: 0 }
      await ledger.tell(id, isLeft ? 'resentInDoubt' : 'resent', facts)
      await ledger.granted(id, 'resend')
    }

    /** The only way a photo dies unsent (RULES SV3); a rename or a deletion is taken back, by the lane where it may be done. */
    async function discard(store: PhotoStore, entry: LedgerEntry) {
      const { ledger } = store
      const { id, kind, recordKey: key } = entry
      const settledAt = new Date(now()).toISOString()
      if (kind !== 'upload') {
        if (!mayBeDone(entry)) return takeBack(store, entry, settledAt)
        return entry.state === 'unknown' ? undefined : ledger.tell(id, 'resentInDoubt')
      }
      if (mayBeDone(entry)) {
        await store.modify(key, (photo) => ({ ...photo, wanted: 'deleted' }))
        return ledger.granted(id, 'discard')
      }
      await ledger.tell(id, 'discarded', { wish: 'none', settledAt })
      return store.remove(key)
    }

    const grant = ({ id, recordKey }: LedgerEntry) =>
      withPhotoLock(parts, recordKey, async (store) => {
        const entry = (await store.ledger.read([id])).get(id)
        if (!entry || entry.wish === 'none') return
        if (entry.state === 'accepted') await store.ledger.granted(id, entry.wish)
        else if (entry.wish === 'resend') await resend(store, entry)
        else await discard(store, entry)
      })
    // a photo on its way keeps its lock: the decisions on others do not wait for it
    await Promise.all(entries.map(grant))
  }
