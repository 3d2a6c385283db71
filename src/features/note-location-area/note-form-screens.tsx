import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { effectiveChanges } from '#schemas/changes/change-queue.ts'
import { noteLocationArea, type NoteRecord } from '#schemas/resources/note-location-area.ts'
import { messageText } from '#messages/messages.ts'
import { PHRASES } from '#messages/phrases.ts'
import { viewOf } from '#data/changes/record-views.ts'
import { useServices } from '#data/context/app-context.tsx'
import { useLeaveForm } from '#data/context/use-leave-form.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { useRequest } from '#data/visits/use-visits.ts'
import { useOpened, useLatched } from '#data/context/use-latched.ts'
import type { ControlsFor } from '#form/use-declared-form.tsx'
import { PhotosField } from '#features/photo/photos-field.tsx'
import { useFormPhotos } from '#features/photo/use-form-photos.ts'
import { RecordForm } from '#features/request-form/request-form.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { BackButton } from '#ui/layout/app-bar.tsx'
import { saveNote } from './commands.ts'
import { isEditable, isNoteClosed, type NoteView, useNote } from './notes.ts'

/** The screen 現場メモ登録. Checks on opening and again on saving whether a note may be registered. */
export function NoteAddScreen({ requestId }: { requestId: string }) {
  const { t } = useLingui()
  const [recordKey] = useState(useServices().newId)
  const request = useLatched(requestId, useRequest(requestId))
  if (typeof request === 'string') return <RequestFormAbsent title={t`現場メモ登録`} state={request} />
  const bar = isNoteClosed(request) ? t`この依頼では現場メモを登録できません。` : null
  const draftKey = `noteLocationArea/add/${request.id}`
  return <NoteForm {...{ request, recordKey, draftKey, bar }} place={request} record={null} />
}

/** The screen 現場メモ編集, for the user's own notes. */
export function NoteEditScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const note = useLatched(id, useNote(id))
  if (typeof note === 'string') return <RequestFormAbsent title={t`現場メモ編集`} state={note} />
  return <EditForm note={note} />
}

/** Checks on opening if the user may edit the note. A later answer of the CRM does not close the form. */
function EditForm({ note }: { note: NoteView }) {
  const { t, i18n } = useLingui()
  const [record] = useState(note.record)
  const { key, requestId, locationAreaId } = record
  const found = useLatched(requestId, useRequest(requestId))
  const isOpen = useOpened(found !== 'loading')
  const [isBarred] = useState(!isEditable(note))
  if (!isOpen && !isBarred) return <RequestFormAbsent title={t`現場メモ編集`} state="loading" />
  const bar = isBarred ? messageText(i18n, 'ec00008', { subject: t`現場メモ` }) : null
  const request = typeof found === 'string' ? null : found
  const draftKey = `noteLocationArea/edit/${key}`
  const place = { id: requestId, locationAreaId }
  return <NoteForm {...{ request, record, draftKey, bar, place }} recordKey={key} />
}

interface NoteFormProps {
  request: RequestRecord | null
  place: Pick<RequestRecord, 'id' | 'locationAreaId'>
  /** Null for a new note. */
  record: NoteRecord | null
  recordKey: string
  draftKey: string
  bar: string | null
}

/** The form 現場メモ, for registering and editing. */
function NoteForm({ request, place, record, recordKey, draftKey, bar }: NoteFormProps) {
  const { t } = useLingui()
  const leave = useLeaveForm()
  const controls = useNoteControls()
  const { id: requestId } = place
  const target = { resource: 'noteLocationAreas', recordKey, requestId, workingDate: '' }
  const photos = useFormPhotos(target, draftKey, record !== null)
  const go = () => leave(requestId)
  // The user's latest text, even if the CRM refused it (内容を開く).
  const note = record && (effectiveChanges(record.changes).at(-1)?.fields.note ?? record.server?.note)
  return (
    <RecordForm
      action={record ? 'edit' : 'add'}
      title={record ? t`現場メモ編集` : t`現場メモ登録`}
      declaration={noteLocationArea}
      controls={controls}
      request={request}
      record={record}
      initial={{ note: note ?? '' }}
      back={<BackButton onClick={() => void go()} />}
      draft={photos.draft}
      bar={bar === null ? null : { text: bar, go }}
      write={(draft, opened) => async (saver, key) => {
        // If the CRM already has this text, only the photos are saved.
        if (draft.note === opened?.server?.note && opened.changes.length === 0) return
        // If an earlier attempt to save created the note and then failed, this save changes that note.
        const seen = opened ?? (await viewOf(saver.db, 'noteLocationAreas', key))
        await saveNote(saver, place, draft, seen, key)
      }}
      leave={go}
    >
      <PhotosField photos={photos} label={t`写真`} />
    </RecordForm>
  )
}

export function useNoteControls(): ControlsFor<typeof noteLocationArea> {
  const { t } = useLingui()
  return {
    note: (field, declared) => (
      <field.TextAreaField
        label={t`メモ`}
        {...declared}
        phrases={PHRASES.note}
        help={t`この現場に入るほかの会社にも表示されます。`}
        rows={6}
      />
    ),
  }
}
