import { useLingui } from '@lingui/react/macro'
import { useState } from 'react'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { viewOf } from '#data/changes/record-views.ts'
import { useServices } from '#data/context/app-context.tsx'
import { LeaveWith } from '#data/context/leave-with.tsx'
import { useLeaveForm } from '#data/context/use-leave-form.ts'
import { useRequest } from '#data/visits/use-visits.ts'
import { useLatched } from '#data/context/use-latched.ts'
import { saveNote } from './commands.ts'
import { RequestFormAbsent } from '#features/request-form/request-form-frame.tsx'
import { NoteForm } from './note-form.tsx'
import { isNoteClosed } from './rules.ts'

/** The screen 現場メモ登録. */
export function NoteAddScreen({ requestId }: { requestId: string }) {
  const { t } = useLingui()
  const { newId } = useServices()
  const [recordKey] = useState(newId)
  const request = useLatched(requestId, useRequest(requestId))
  const title = t`現場メモ登録`
  if (typeof request === 'string') return <RequestFormAbsent title={title} state={request} />
  return <AddForm title={title} request={request} recordKey={recordKey} />
}

interface AddFormProps {
  title: string
  request: RequestRecord
  recordKey: string
}

/** Checks on opening and again on saving whether a note may be registered. */
function AddForm({ title, request, recordKey }: AddFormProps) {
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
      title={title}
      requestId={requestId}
      request={request}
      recordKey={recordKey}
      draftKey={`noteLocationArea/add/${requestId}`}
      note=""
      onSave={async (saver, draft, key) => {
        // If an earlier save failed midway, its record is changed instead of created again.
        const made = await viewOf(saver.db, 'noteLocationAreas', key)
        await saveNote(saver, request, draft, made, key)
      }}
    />
  )
}
