/** Storage for unsaved form input (spec: draft autosave). The app provides it; without it nothing is stored. */
import { createContext } from 'react'

export interface StoredDraft {
  /** The stored field values, not yet validated; null if no field was changed. */
  values: unknown
  /** True if photos were taken or marked for deletion. */
  hasPhotos: boolean
}

/** A draft that was removed and can be restored. */
export interface TakenDraft {
  /** Stores the draft again. */
  back(): Promise<unknown>
  /** Deletes the draft for good. */
  forget(): Promise<void>
}

export interface FormDrafts {
  read(key: string): Promise<StoredDraft | null>
  keep(key: string, values: object): Promise<void>
  /** Deletes a draft with the photos taken for it. */
  drop(key: string): Promise<void>
  /** Removes a draft like `drop`, but allows undo until `forget` is called. */
  take(key: string): Promise<TakenDraft | null>
  /**
   * Marks the form as being saved. The save deletes its draft.
   * @param written settles when the pending write of the draft has ended
   * @returns ends the marking
   */
  submits(key: string, values: object, written: Promise<unknown>): () => void
  /** @param onReturned called when a saved change of this form becomes a draft again. @returns stops watching */
  watch(key: string, onReturned: () => void): () => void
}

export const FormDraftsContext = createContext<FormDrafts | null>(null)
