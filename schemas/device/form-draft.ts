/**
 * A form's draft: input that is not saved yet, and the photos taken for it. A draft survives a killed page and is never
 * sent. The save turns it into changes and photos (`src/data/drafts/drafts`).
 */
import { type } from 'arktype'
import { CHANGE_STAMP_MAX, RECORD_KEY_MAX } from '#schemas/change.ts'
import { DRAFT_KEY_MAX, ID_MAX } from '#schemas/limits.ts'

const draftPhoto = type({
  /** Key of the photo after the save. Its bytes are already stored under this key. */
  key: `string <= ${ID_MAX}`,
  name: 'string',
  /** `latitude,longitude`; '' if unknown, or not known yet. */
  placeInfo: 'string',
  /** ISO 8601 with offset. */
  takenAt: 'string',
  size: 'number',
  type: "'image/png' | 'image/jpeg'",
})
export type DraftPhoto = typeof draftPhoto.infer

export const formDraft = type({
  /** Key of the form: `noteLocationArea/add/<id>`. */
  key: `string <= ${DRAFT_KEY_MAX}`,
  /** The form's values as JSON; '' if nothing was typed. */
  values: 'string',
  photos: draftPhoto.array(),
  /** Keys of the record's photos that the save deletes. */
  unwanted: 'string[]',
  /** Stamp of the save's first change or photo, once a save has begun. The next start completes an interrupted save. */
  saving: `string <= ${CHANGE_STAMP_MAX}`,
  /** The values that this save stores, as JSON, without later input. */
  saved: 'string',
  /** The record that the save creates or changes; '' before the save. */
  resource: 'string <= 40',
  recordKey: `string <= ${RECORD_KEY_MAX}`,
  requestId: `string <= ${ID_MAX}`,
  workingDate: 'string <= 10',
})
export type FormDraft = typeof formDraft.infer
