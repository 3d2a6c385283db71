import { NoteType } from '#schemas/codes.ts'
import type { NoteDraft, NoteRecord } from '#schemas/resources/note-location-area.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { addChange, kindOfSave, newChange, NOTHING_SENT, type Saver } from '#data/changes/changes.ts'

/** Creates or edits 現場メモ. @param record null for a new note @param newKey its key, if photos refer to it */
export async function saveNote(
  saver: Saver,
  request: Pick<RequestRecord, 'id' | 'locationAreaId'>,
  draft: NoteDraft,
  record: NoteRecord | null = null,
  newKey?: string,
): Promise<void> {
  const newId = record || newKey === undefined ? saver.newId : () => newKey
  const place = { collection: 'noteLocationAreas', key: record?.key ?? '' } as const
  const kind = record ? await kindOfSave(saver.db, place, record) : 'create'
  const change = newChange({ ...saver, newId }, kind, { note: draft.note })
  const blank = {
    // The key of a new note is the id of the change that creates it.
    key: change.id,
    requestId: request.id,
    workingDate: '',
    locationAreaId: request.locationAreaId ?? '',
    // A note created in the app has type 1 (crm-contract 4).
    noteType: NoteType.code.request,
    ...NOTHING_SENT,
  }
  await addChange(saver.db, 'noteLocationAreas', record ?? blank, change)
}
