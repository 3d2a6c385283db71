/** 再送 and 破棄 of a photo, under its lock, so that nothing is discarded while it is being sent. */
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { Locks } from '../transport/hold.ts'
import type { PhotoStore } from './photo-store.ts'
import { isInDoubt, photoLock } from './send-photo.ts'

interface Parts {
  store: PhotoStore
  locks: Locks
  now: () => number
}

/** Carries out the wishes that are set on ledger rows of photos. */
export const grantPhotoWishes =
  ({ store: unheld, locks, now }: Parts) =>
  async (entries: readonly LedgerEntry[]): Promise<void> => {
    async function resend({ ledger }: PhotoStore, entry: LedgerEntry) {
      // what may have reached the file store is looked for before it is sent again (RULES OC6)
      const mayBeThere = entry.kind === 'upload' && entry.payload !== ''
      const state = mayBeThere ? 'unknown' : 'waiting'
      await ledger.patch(entry.id, {
        wish: 'none',
        state,
        reasons: [],
        savedAt: new Date(now()).toISOString(),
        serverErrors: 0,
      })
    }

    /** The only way a photo dies unsent (RULES SV3); a rename or a deletion is taken back. */
    async function discard(store: PhotoStore, entry: LedgerEntry) {
      const { ledger } = store
      const key = entry.recordKey
      if (entry.kind === 'upload' && isInDoubt(entry)) {
        await ledger.patch(entry.id, { wish: 'none' })
        return store.modify(key, (photo) => ({ ...photo, wanted: 'deleted' }))
      }
      await ledger.patch(entry.id, {
        wish: 'none',
        state: 'discarded',
        settledAt: new Date(now()).toISOString(),
      })
      if (entry.kind === 'upload') return store.remove(key)
      await store.modify(key, (photo) =>
        entry.kind === 'rename' ? { ...photo, name: photo.storeName } : { ...photo, wanted: 'kept' },
      )
    }

    const grant = ({ id, recordKey }: LedgerEntry) =>
      locks.request(photoLock(unheld, recordKey), async (hold) => {
        const store = unheld.within(hold)
        const entry = (await store.ledger.read([id])).get(id)
        if (!entry || entry.wish === 'none') return
        if (entry.state === 'accepted') await store.ledger.patch(id, { wish: 'none' })
        else if (entry.wish === 'resend') await resend(store, entry)
        else await discard(store, entry)
      })
    // a photo on its way keeps its lock: the wishes for others do not wait for it
    await Promise.all(entries.map(grant))
  }
