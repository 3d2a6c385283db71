import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { messageText } from '#messages/messages.ts'
import { LeaveWith } from '#data/context/leave-with.tsx'
import { useLeaveForm } from '#data/context/use-leave-form.ts'
import { useRequest } from '#data/visits/use-visits.ts'
import { useOpened, useLatched } from '#data/context/use-latched.ts'
import { saveNote } from './commands.ts'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { NoteForm } from './note-form.tsx'
import { type NoteView, typedNote } from './note-view.ts'
import { isEditable } from './rules.ts'
import { useNote } from './use-notes.ts'

/** The screen 現場メモ編集, for the user's own notes. */
export function NoteEditScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const note = useLatched(id, useNote(id))
  if (typeof note === 'string') return <RequestFormAbsent title={t`現場メモ編集`} state={note} />
  return <NoteEdit note={note} />
}

/** Checks the author when the form opens. A response that arrives later does not close the form. */
function NoteEdit({ note }: { note: NoteView }) {
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
        // The text equals the CRM's: only the photos have changed.
        if (draft.note === record.server?.note && record.changes.length === 0) return
        const place = { id: record.requestId, locationAreaId: record.locationAreaId }
        await saveNote(saver, place, draft, record)
      }}
    />
  )
}
