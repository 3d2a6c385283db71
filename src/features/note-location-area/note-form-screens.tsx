import { useLingui } from '@lingui/react/macro'
import { type ReactNode, useState } from 'react'
import { effectiveChanges } from '#schemas/changes/change-queue.ts'
import { noteLocationArea, type NoteDraft } from '#schemas/resources/note-location-area.ts'
import { messageText } from '#messages/messages.ts'
import { PHRASES } from '#messages/phrases.ts'
import type { Saver } from '#data/changes/changes.ts'
import { viewOf } from '#data/changes/record-views.ts'
import { useServices } from '#data/context/app-context.tsx'
import { LeaveWith } from '#data/context/leave-with.tsx'
import { useLeaveForm } from '#data/context/use-leave-form.ts'
import { useRequest } from '#data/visits/use-visits.ts'
import { useOpened, useLatched } from '#data/context/use-latched.ts'
import { useDeclaredForm } from '#form/use-declared-form.tsx'
import { PhotosField } from '#features/photo/photos-field.tsx'
import { useFormPhotos } from '#features/photo/use-form-photos.ts'
import { RequestForm, type RequestFormProps } from '#features/request-form/request-form.tsx'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { useSave } from '#features/request-form/use-save.ts'
import { BackButton } from '#ui/layout/app-bar.tsx'
import { saveNote } from './commands.ts'
import { isEditable, isNoteClosed, type NoteView, useNote } from './notes.ts'

/** The screen 現場メモ登録. Checks on opening and again on saving whether a note may be registered. */
export function NoteAddScreen({ requestId }: { requestId: string }) {
  const { t } = useLingui()
  const [recordKey] = useState(useServices().newId)
  const request = useLatched(requestId, useRequest(requestId))
  const title = t`現場メモ登録`
  if (typeof request === 'string') return <RequestFormAbsent title={title} state={request} />
  const closed = isNoteClosed(request) ? t`この依頼では現場メモを登録できません。` : undefined
  return (
    <Unbarred bar={closed} requestId={request.id}>
      <NoteForm
        closed={closed}
        action="add"
        title={title}
        requestId={request.id}
        request={request}
        recordKey={recordKey}
        draftKey={`noteLocationArea/add/${request.id}`}
        note=""
        onSave={async (saver, draft, key) => {
          // If an earlier attempt to save created the note and then failed, this save changes that note.
          const made = await viewOf(saver.db, 'noteLocationAreas', key)
          await saveNote(saver, request, draft, made, key)
        }}
      />
    </Unbarred>
  )
}

function Unbarred(props: { bar: string | undefined; requestId: string; children: ReactNode }) {
  const leave = useLeaveForm()
  const [bar] = useState(props.bar)
  if (bar === undefined) return props.children
  return <LeaveWith text={bar} go={() => leave(props.requestId)} />
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
  const { key, requestId, locationAreaId, server, changes } = record
  const request = useLatched(requestId, useRequest(requestId))
  const isOpen = useOpened(request !== 'loading')
  const [isBarred] = useState(!isEditable(note))
  const title = t`現場メモ編集`
  if (!isOpen && !isBarred) return <RequestFormAbsent title={title} state="loading" />
  return (
    <Unbarred
      bar={isBarred ? messageText(i18n, 'ec00008', { subject: t`現場メモ` }) : undefined}
      requestId={requestId}
    >
      <NoteForm
        action="edit"
        title={title}
        requestId={requestId}
        request={typeof request === 'string' ? null : request}
        recordKey={key}
        draftKey={`noteLocationArea/edit/${key}`}
        // The user's latest text, even if the CRM refused it (内容を開く).
        note={effectiveChanges(changes).at(-1)?.fields.note ?? server?.note ?? ''}
        onSave={async (saver, draft) => {
          // If the CRM already has this text, only the photos are saved.
          if (draft.note === server?.note && changes.length === 0) return
          await saveNote(saver, { id: requestId, locationAreaId }, draft, record)
        }}
      />
    </Unbarred>
  )
}

interface NoteFormProps extends Omit<RequestFormProps, 'back'> {
  requestId: string
  recordKey: string
  draftKey: string
  note: string
  /** Says why the note can no longer be registered; undefined if it can. */
  closed?: string | undefined
  onSave: (saver: Saver, draft: NoteDraft, key: string) => Promise<void>
}

/** The form 現場メモ, for registering and editing. */
export function NoteForm(props: NoteFormProps) {
  const { requestId, recordKey, draftKey, note, closed, onSave, ...frame } = props
  const { action } = frame
  const { t } = useLingui()
  const submit = useSave('noteLocationArea', action)
  const leave = useLeaveForm()
  const target = { resource: 'noteLocationAreas', recordKey, requestId, workingDate: '' }
  const photos = useFormPhotos(target, draftKey, action === 'edit')
  const form = useDeclaredForm({
    declaration: noteLocationArea,
    defaultValues: { note },
    autosave: { key: photos.draft.key },
    onSubmit: (draft) =>
      submit({
        draft: photos.draft,
        ready: photos.ready,
        bar: closed === undefined ? null : { text: closed, go: () => leave(requestId) },
        write: (saver, key) => onSave(saver, draft, key),
        leave: () => leave(requestId),
      }),
  })
  return (
    <RequestForm
      {...frame}
      back={<BackButton onClick={() => void leave(requestId)} />}
      form={form}
      slug="noteLocationArea"
    >
      {form.fields({
        note: (field, declared) => (
          <field.TextAreaField
            label={t`メモ`}
            {...declared}
            phrases={PHRASES.note}
            help={t`この現場に入るほかの会社にも表示されます。`}
            rows={6}
          />
        ),
      })}
      <PhotosField photos={photos} label={t`写真`} />
    </RequestForm>
  )
}
