/** An undo (元に戻す) for something that was done at once. Offered for a limited time. */
export interface UndoOffer {
  /** Undoes it. `left` if some of it was already being sent and therefore was never deleted. */
  back(): Promise<'back' | 'left'>
  /** The offer ends: deletes what was preserved for the undo. */
  forget(): Promise<void>
}
