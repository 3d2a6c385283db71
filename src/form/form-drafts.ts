/** Interface of the storage for unsaved input (spec: draft autosave). Without an implementation no input is stored. */
import { createContext } from 'react'

export interface StoredDraft {
  /** The stored field values, which may be invalid; null if no field was changed. */
  values: unknown
  /** True if the user took photos or marked photos for deletion. */
  hasPhotos: boolean
}

/** A removed draft that can still be restored. */
export interface TakenDraft {
  back(): Promise<unknown>
  /** Deletes the draft for good. */
  forget(): Promise<void>
}

export interface FormDrafts {
  read(key: string): Promise<StoredDraft | null>
  keep(key: string, values: object): Promise<void>
  /** Deletes a draft and its photos. */
  drop(key: string): Promise<void>
  /** Removes a draft and its photos, but allows an undo until `forget`. */
  take(key: string): Promise<TakenDraft | null>
  /**
   * Called at the beginning of a save, which deletes the draft.
   * @param written settles when the last write of the draft has ended
   * @returns a function to call at the end of the save
   */
  submits(key: string, values: object, written: Promise<unknown>): () => void
  /** Calls `onReturned` each time that the user undoes a save of this form. @returns stops watching */
  watch(key: string, onReturned: () => void): () => void
}

export const FormDraftsContext = createContext<FormDrafts | null>(null)
