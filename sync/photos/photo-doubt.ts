/** Of which acts nobody knows what became, and how a rename or a deletion is taken back. */
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { PhotoStore } from './photo-store.ts'

/** A file store that answers 5xx this often to one photo has had its say (RULES OR3). */
export const MAX_SERVER_ERRORS = 5

export const isInDoubt = (row: LedgerEntry | undefined) =>
  row?.state === 'sending' || row?.state === 'unknown'

/** In doubt, or given up because nobody would say what became of it. */
export const mayBeDone = (row: LedgerEntry) =>
  isInDoubt(row) || (row.state === 'refused' && row.serverErrors >= MAX_SERVER_ERRORS)

/** 破棄 of a rename or a deletion that the file store has not done; what was saved meanwhile stays (RULES SV3). */
export async function takeBack(
  store: PhotoStore,
  { id, kind, recordKey }: LedgerEntry,
  settledAt: string,
): Promise<void> {
  await store.modify(recordKey, (photo) => {
    if (photo.changeId !== id) return photo
    return kind === 'rename' ? { ...photo, name: photo.storeName } : { ...photo, wanted: 'kept' }
  })
  // the wish goes last: what a crash cuts short is done again
  await store.ledger.tell(id, 'discarded', { wish: 'none', settledAt })
}
