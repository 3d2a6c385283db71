import { useLingui } from '@lingui/react/macro'
import type { ComponentType, ReactNode } from 'react'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { ContentOf, Declaration, InputOf } from '#schemas/declare/declare.ts'
import { inputOf } from '#schemas/declare/form-values.ts'
import { useOnline } from '#data/context/app-context.tsx'
import { maySave, type FormAction, type FormSlug } from '#data/changes/offline-policy.ts'
import { FormBody, LeaveGuard, SubmitBar } from '#form/form-parts.tsx'
import { RequestFormFrame } from './request-form-frame.tsx'

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

interface FrameProps extends RequestFormProps, SaveBarProps {
  form: { AppForm: ComponentType<{ children?: ReactNode }> }
  children: ReactNode
}

/** A form about a request: the frame, the fields, 保存, and a question before the user leaves unsaved input. */
export function RequestForm({
  form: { AppForm },
  slug,
  action,
  isPrefilled,
  children,
  ...frame
}: FrameProps) {
  const { t } = useLingui()
  return (
    <AppForm>
      <RequestFormFrame {...frame} footer={<SaveBar slug={slug} action={action} isPrefilled={isPrefilled} />}>
        <FormBody>
          {isPrefilled && <p>{t`現在の登録内容を入れてあります。変更するところを直してください。`}</p>}
          {children}
        </FormBody>
        <LeaveGuard />
      </RequestFormFrame>
    </AppForm>
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
