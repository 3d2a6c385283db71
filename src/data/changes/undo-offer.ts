/** What was done at once, and can be had back for a while (元に戻す). */
export interface UndoOffer {
  /** left: some of it was there already when it was to be deleted, and stays. */
  back(): Promise<'back' | 'left'>
  /** Nobody wants it back: what was kept for that goes. */
  forget(): Promise<void>
}
