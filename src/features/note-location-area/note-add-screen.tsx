import { useLingui } from '@lingui/react/macro'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useServices } from '#data/app-context.tsx'
import { saveNote } from './commands.ts'
import { NoteAbsent } from './note-absent.tsx'
import { NoteForm } from './note-form.tsx'
import { useRequestOfNote } from './use-notes.ts'

/** 現場メモ登録. */
export function NoteAddScreen({ requestId }: { requestId: string }) {
  const { t } = useLingui()
  const { newId } = useServices()
  const [key] = useState(newId)
  const { request, isComing, isMissing } = useRequestOfNote(requestId)
  const title = t`現場メモ登録`
  if (isMissing) return <Navigate to="/not-found" replace />
  if (!request) return <NoteAbsent title={title} loading={isComing} />
  return (
    <NoteForm
      title={title}
      requestId={requestId}
      request={request}
      recordKey={key}
      draftKey={`noteLocationArea/add/${requestId}`}
      note=""
      onSave={(saver, draft) => saveNote(saver, request, draft, null, key)}
    />
  )
}
