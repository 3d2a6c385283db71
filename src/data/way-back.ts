/** What was done at once, and can be had back for a while (元に戻す). */
export interface WayBack {
  /** left: it was sent, or may have been, before it could be deleted: nothing is put back. */
  back(): Promise<'back' | 'left'>
  /** Nobody wants it back: what was kept for that goes. */
  forget(): Promise<void>
}
