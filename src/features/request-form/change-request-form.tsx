import { useState } from 'react'
import type { Declaration, DraftOf, InputOf } from '#schemas/declare/declare.ts'
import type { Saver } from '#data/changes/changes.ts'
import type { FormSlug } from '#data/changes/offline-policy.ts'
import { LeaveWith } from '#data/context/leave-with.tsx'
import { useLeaveForm } from '#data/context/use-leave-form.ts'
import { type ControlsFor, useDeclaredForm } from '#form/use-declared-form.tsx'
import { RequestForm, type RequestFormProps } from './request-form.tsx'
import { useSave } from './use-save.ts'

type Slugged = Declaration & { slug: FormSlug }

interface ChangeRequestFormProps<D extends Slugged> extends RequestFormProps {
  declaration: D
  controls: ControlsFor<D>
  initial: InputOf<D>
  /** True if `initial` has the values registered in the CRM. Saving the form then requires a changed value. */
  isPrefilled?: boolean | undefined
  draftKey: string
  server?: object | undefined
  onSave: (draft: DraftOf<D>) => Promise<void | 'not-saved'>
}

interface OpenedProps<D extends Slugged, R> extends Omit<ChangeRequestFormProps<D>, 'server' | 'onSave'> {
  requestId: string
  record: R | null
  /** Says why the form must not be saved; null if it may. Checked on opening and again on saving. */
  bar: string | null
  write: (saver: Saver, draft: DraftOf<D>, seen: R | null) => Promise<void>
}

/** The form of a change request as it opens. A later answer of the CRM does not change its values. */
export function OpenedChangeRequest<D extends Slugged, R extends { server?: object | undefined }>(
  props: OpenedProps<D, R>,
) {
  const { requestId, record, initial, isPrefilled, bar, write, ...frame } = props
  const submit = useSave(frame.declaration.slug, frame.action)
  const leaveForm = useLeaveForm()
  const [{ seen, barAtStart, ...opened }] = useState({ seen: record, barAtStart: bar, initial, isPrefilled })
  const leave = () => leaveForm(requestId)
  if (barAtStart !== null) return <LeaveWith text={barAtStart} go={leave} />
  const save = (draft: DraftOf<D>) =>
    submit({
      draft: { key: frame.draftKey },
      bar: bar === null ? null : { text: bar, go: leave },
      write: (saver) => write(saver, draft, seen),
      leave,
    })
  return <ChangeRequestForm<D> {...frame} {...opened} server={seen?.server} onSave={save} />
}

/** The form of a change request, for registering and editing. */
export function ChangeRequestForm<D extends Slugged>(props: ChangeRequestFormProps<D>) {
  const { declaration, controls, initial, isPrefilled = false, server, draftKey, onSave, ...frame } = props
  const form = useDeclaredForm({
    declaration,
    defaultValues: initial,
    server,
    onSubmit: onSave,
    savesUnchanged: !isPrefilled,
    autosave: { key: draftKey },
  })
  return (
    <RequestForm {...frame} form={form} slug={declaration.slug} isPrefilled={isPrefilled}>
      {form.fields(controls)}
    </RequestForm>
  )
}
