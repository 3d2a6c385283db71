/**
 * What was typed into a form and not saved yet, and the photos taken for it: it survives a killed page. Never sent; the
 * save makes records of it (`src/data/drafts/drafts`).
 */
import { type } from 'arktype'
import { CHANGE_STAMP_MAX, RECORD_KEY_MAX } from '#schemas/change.ts'
import { DRAFT_KEY_MAX, ID_MAX } from '#schemas/limits.ts'

const draftPhoto = type({
  /** The key the photo will have; its bytes are in their table already. */
  key: `string <= ${ID_MAX}`,
  name: 'string',
  /** `latitude,longitude`; empty where no position was to be had, or not yet. */
  placeInfo: 'string',
  /** ISO 8601 with offset. */
  takenAt: 'string',
  size: 'number',
  type: "'image/png' | 'image/jpeg'",
})
export type DraftPhoto = typeof draftPhoto.infer

export const formDraft = type({
  /** The form's key: `noteLocationArea/add/<id>`. */
  key: `string <= ${DRAFT_KEY_MAX}`,
  /** The values of its fields, as JSON; empty where nothing was typed. */
  values: 'string',
  photos: draftPhoto.array(),
  /** Keys of photos of the record that the save deletes. */
  unwanted: 'string[]',
  /** The save has begun, with a change or a photo of this stamp: what a crash cut short is ended at the next start. */
  saving: `string <= ${CHANGE_STAMP_MAX}`,
  /** The values that this save takes, as JSON: what was typed since is not in it. */
  saved: 'string',
  /** The record that the save makes or changes; empty before it. */
  resource: 'string <= 40',
  recordKey: `string <= ${RECORD_KEY_MAX}`,
  requestId: `string <= ${ID_MAX}`,
  workingDate: 'string <= 10',
})
export type FormDraft = typeof formDraft.infer
