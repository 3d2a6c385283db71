import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import { useServices } from '#data/app-context.tsx'
import { useRequest } from '#data/use-request.ts'
import { useStanding } from '#data/use-standing.ts'
import { saveNote } from './commands.ts'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { NoteForm } from './note-form.tsx'

/** 現場メモ登録. */
export function NoteAddScreen({ requestId }: { requestId: string }) {
  const { t } = useLingui()
  const { newId } = useServices()
  const [recordKey] = useState(newId)
  const request = useStanding(requestId, useRequest(requestId))
  const title = t`現場メモ登録`
  if (typeof request === 'string') return <RequestFormAbsent title={title} state={request} />
  return (
    <NoteForm
      action="add"
      title={title}
      requestId={requestId}
      request={request}
      recordKey={recordKey}
      draftKey={`noteLocationArea/add/${requestId}`}
      note=""
      onSave={async (saver, draft, key) => {
        // what a save that failed half-way has made already is changed, not made twice
        const made = (await saver.db.noteLocationAreas.findOne(key).exec())?.toMutableJSON() ?? null
        await saveNote(saver, request, draft, made, key)
      }}
    />
  )
}
