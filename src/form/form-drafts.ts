/** Where forms keep what is typed and not saved (spec: draft autosave). The app gives it; without it nothing is kept. */
import { createContext } from 'react'

export interface KeptDraft {
  /** The values of the fields as they were kept, in whatever form; null where nothing was typed. */
  values: unknown
  /** Photos were taken, or marked to be deleted. */
  hasPhotos: boolean
}

export interface TakenDraft {
  back(): Promise<unknown>
  forget(): Promise<void>
}

export interface FormDrafts {
  read(key: string): Promise<KeptDraft | null>
  keep(key: string, values: object): Promise<void>
  /** With the photos taken for it. */
  drop(key: string): Promise<void>
  /** As `drop`, and it can be had back until it is forgotten. */
  take(key: string): Promise<TakenDraft | null>
  /**
   * The form is being saved, and its draft ends with that.
   * @param kept settles once what was typed before is written
   * @returns ends that
   */
  submits(key: string, values: object, kept: Promise<unknown>): () => void
  /** @param told what was saved from this form is a draft again. @returns ends that */
  watch(key: string, told: () => void): () => void
}

export const FormDraftsContext = createContext<FormDrafts | null>(null)
