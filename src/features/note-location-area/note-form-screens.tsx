import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { messageText } from '#messages/messages.ts'
import { viewOf } from '#data/changes/record-views.ts'
import { useServices } from '#data/context/app-context.tsx'
import { LeaveWith } from '#data/context/leave-with.tsx'
import { useLeaveForm } from '#data/context/use-leave-form.ts'
import { useRequest } from '#data/visits/use-visits.ts'
import { useOpened, useLatched } from '#data/context/use-latched.ts'
import { saveNote } from './commands.ts'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { NoteForm } from './note-form.tsx'
import { type NoteView, typedNote, useNote } from './notes.ts'
import { isEditable, isNoteClosed } from './rules.ts'

/** The screen 現場メモ登録. */
export function NoteAddScreen({ requestId }: { requestId: string }) {
  const { t } = useLingui()
  const { newId } = useServices()
  const [recordKey] = useState(newId)
  const request = useLatched(requestId, useRequest(requestId))
  if (typeof request === 'string') return <RequestFormAbsent title={t`現場メモ登録`} state={request} />
  return <AddForm request={request} recordKey={recordKey} />
}

/** Checks on opening and again on saving whether a note may be registered. */
function AddForm({ request, recordKey }: { request: RequestRecord; recordKey: string }) {
  const { t } = useLingui()
  const leave = useLeaveForm()
  const [closedAtStart] = useState(isNoteClosed(request))
  const { id: requestId } = request
  const closed = t`この依頼では現場メモを登録できません。`
  if (closedAtStart) return <LeaveWith text={closed} go={() => leave(requestId)} />
  return (
    <NoteForm
      closed={isNoteClosed(request) ? closed : undefined}
      action="add"
      title={t`現場メモ登録`}
      requestId={requestId}
      request={request}
      recordKey={recordKey}
      draftKey={`noteLocationArea/add/${requestId}`}
      note=""
      onSave={async (saver, draft, key) => {
        // If an earlier attempt to save created the note and then failed, this save changes that note.
        const made = await viewOf(saver.db, 'noteLocationAreas', key)
        await saveNote(saver, request, draft, made, key)
      }}
    />
  )
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
  const leave = useLeaveForm()
  const [record] = useState(note.record)
  const [isBarred] = useState(!isEditable(note))
  const [typed] = useState(() => typedNote(record))
  const request = useLatched(record.requestId, useRequest(record.requestId))
  const isOpen = useOpened(request !== 'loading')
  const title = t`現場メモ編集`
  if (isBarred)
    return (
      <LeaveWith
        text={messageText(i18n, 'ec00008', { subject: t`現場メモ` })}
        go={() => leave(record.requestId)}
      />
    )
  if (!isOpen) return <RequestFormAbsent title={title} state="loading" />
  return (
    <NoteForm
      action="edit"
      title={title}
      requestId={record.requestId}
      request={typeof request === 'string' ? null : request}
      recordKey={record.key}
      draftKey={`noteLocationArea/edit/${record.key}`}
      note={typed}
      onSave={async (saver, draft) => {
        // If the CRM already has this text, only the photos are saved.
        if (draft.note === record.server?.note && record.changes.length === 0) return
        const place = { id: record.requestId, locationAreaId: record.locationAreaId }
        await saveNote(saver, place, draft, record)
      }}
    />
  )
}
