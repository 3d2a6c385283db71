import { useLingui } from '@lingui/react/macro'
import { useState, type ReactNode } from 'react'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { ContentOf, Declaration, DraftOf, InputOf } from '#schemas/declare/declare.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import { useOnline } from '#data/context/app-context.tsx'
import { LeaveWith } from '#data/context/leave-with.tsx'
import { maySave, type FormAction, type FormSlug } from '#data/changes/offline-policy.ts'
import { FormBody, LeaveGuard, SubmitBar } from '#form/form-parts.tsx'
import { type ControlsFor, useDeclaredForm } from '#form/use-declared-form.tsx'
import { RequestFormFrame } from './request-form-frame.tsx'
import { useSave, type Save } from './use-save.ts'

export interface RequestFormProps {
  action: FormAction
  title: string
  back: ReactNode
  request: RequestRecord | null
}

interface SaveBarProps {
  slug: FormSlug
  action: FormAction
  /** True if the form opens with the values registered in the CRM. Saving then requires a changed value. */
  isPrefilled?: boolean | undefined
}

export interface RecordFormProps<D extends Declaration & { slug: FormSlug }, R>
  extends
    RequestFormProps,
    Pick<SaveBarProps, 'isPrefilled'>,
    Required<Pick<Save, 'draft' | 'bar' | 'leave'>> {
  declaration: D
  controls: ControlsFor<D>
  initial: InputOf<D>
  /** The record to change; null for a new record. */
  record: R | null
  /** Called when the user presses 保存. @returns the function that writes the change of `seen`, the record as it opened */
  write: (draft: DraftOf<D>, seen: R | null) => Save['write']
  /** Rows above the form, content above and below its fields, and rows below the form. */
  above?: ReactNode
  lead?: ReactNode
  children?: ReactNode
  below?: ReactNode
}

/** The form of a declared record as it opens. A later answer of the CRM changes neither its values nor closes it. */
export function RecordForm<
  D extends Declaration & { slug: FormSlug },
  R extends { server?: object | undefined },
>(props: RecordFormProps<D, R>) {
  const { bar, record, initial, isPrefilled } = props
  const [opened] = useState({ bar, record, initial, isPrefilled })
  if (opened.bar) return <LeaveWith {...opened.bar} />
  return <OpenForm<D, R> {...props} {...opened} bar={bar} />
}

/** The frame, the fields, 保存, and a question before the user leaves unsaved input. */
function OpenForm<D extends Declaration & { slug: FormSlug }, R extends { server?: object | undefined }>(
  props: RecordFormProps<D, R>,
) {
  const { declaration, controls, initial, record, isPrefilled = false, draft, bar, write, leave } = props
  const { action, title, back, request, above, lead, children, below } = props
  const { slug } = declaration
  const { t } = useLingui()
  const submit = useSave(slug, action)
  const form = useDeclaredForm({
    declaration,
    defaultValues: initial,
    server: record?.server,
    onSubmit: (input) => submit({ draft, bar, write: write(input, record), leave }),
    savesUnchanged: !isPrefilled,
    autosave: { key: draft.key },
  })
  return (
    <form.AppForm>
      <RequestFormFrame {...{ title, back, request }} footer={<SaveBar {...{ slug, action, isPrefilled }} />}>
        {above}
        <FormBody>
          {isPrefilled && <p>{t`現在の登録内容を入れてあります。変更するところを直してください。`}</p>}
          {lead}
          {form.fields(controls)}
          {children}
        </FormBody>
        {below}
        <LeaveGuard />
      </RequestFormFrame>
    </form.AppForm>
  )
}

/** The button 保存. Offline, a hint above it says that the change is sent later or cannot be saved. */
export function SaveBar({ slug, action, isPrefilled = false }: SaveBarProps) {
  const { t } = useLingui()
  const online = useOnline()
  const queued = t`電波がないため、端末に保存して後で送信します`
  const refused = t`電波がないため、編集を保存できません`
  const hint = maySave(slug, action, false) ? queued : refused
  const unchanged = isPrefilled ? t`変更したところがありません` : undefined
  return <SubmitBar hint={online ? undefined : hint} unchanged={unchanged}>{t`保存`}</SubmitBar>
}

/** Returns an add form's initial values: the user's refused ones, or else those `registered` in the CRM (`isPrefilled`). */
export function addInput<D extends Declaration>(
  declaration: D,
  unsent: Partial<ContentOf<D>> | undefined,
  registered: Partial<ContentOf<D>> | null,
): { initial: InputOf<D>; isPrefilled: boolean } {
  const initial = inputOf(declaration, unsent ?? registered ?? {})
  return { initial, isPrefilled: !unsent && Object.values(initial).some((value) => value !== '') }
}
