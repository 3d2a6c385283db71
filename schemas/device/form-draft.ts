/** A form's draft: unsaved input and photos. It survives its page and is never sent (`src/data/drafts/drafts`). */
import { type } from 'arktype'
import { CHANGE_STAMP_MAX, RECORD_KEY_MAX } from '#schemas/change.ts'
import { DRAFT_KEY_MAX, ID_MAX } from '#schemas/limits.ts'

const draftPhoto = type({
  /** Key under which the photo's bytes are stored, also after the save. */
  key: `string <= ${ID_MAX}`,
  name: 'string',
  /** `latitude,longitude`; '' if unknown. */
  placeInfo: 'string',
  takenAt: 'string',
  size: 'number',
  type: "'image/png' | 'image/jpeg'",
})
export type DraftPhoto = typeof draftPhoto.infer

export const formDraft = type({
  /** Key of the form: `noteLocationArea/add/<id>`. */
  key: `string <= ${DRAFT_KEY_MAX}`,
  /** The form's values as JSON; '' without input. */
  values: 'string',
  photos: draftPhoto.array(),
  /** Keys of the record's photos that the save will delete. */
  unwanted: 'string[]',
  /** Stamp of the first change or photo of a save that has begun. The next start completes such a save. */
  saving: `string <= ${CHANGE_STAMP_MAX}`,
  /** The values that a save in progress stores, as JSON. Input typed since its beginning is not included. */
  saved: 'string',
  /** Collection of the saved record. This field and the following ones are '' before the save. */
  resource: 'string <= 40',
  recordKey: `string <= ${RECORD_KEY_MAX}`,
  requestId: `string <= ${ID_MAX}`,
  workingDate: 'string <= 10',
})
export type FormDraft = typeof formDraft.infer
