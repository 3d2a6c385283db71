/** 再送 and 破棄 of a photo, under its lock, so that nothing is discarded while it is being sent. */
import type { LedgerEntry } from '#schemas/changes/ledger-entry.ts'
import type { Locks } from '#sync/leadership/lease.ts'
import { carryOut } from '#sync/changes/requested.ts'
import { isoNow, mayBeDone } from '#sync/changes/unsent.ts'
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
    const grant = ({ id, recordKey }: LedgerEntry) =>
      withPhotoLock(parts, recordKey, (store) =>
        carryOut(store.ledger, id, parts.now, {
          mayBeMadeTwice: (entry) => mayBeDone(entry) || (entry.kind === 'upload' && entry.payload !== ''),
          discard: (entry) => discard(store, entry, isoNow(parts)),
        }),
      )
    // a photo on its way keeps its lock: the decisions on others do not wait for it
    await Promise.all(entries.map(grant))
  }

/** The only way a photo dies unsent (RULES SV3); a rename or a deletion is taken back, by the lane where it may be done. */
async function discard(store: PhotoStore, entry: LedgerEntry, settledAt: string): Promise<void> {
  const { ledger } = store
  const { id, kind, recordKey: key } = entry
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
