import { useLingui } from '@lingui/react/macro'
import type { ComponentType, ReactNode } from 'react'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { FormAction, FormSlug } from '#data/changes/offline-policy.ts'
import { FormBody, LeaveGuard } from '#form/form-parts.tsx'
import { RequestFormFrame } from './request-form-frame.tsx'
import { SaveBar } from './save-bar.tsx'

export interface RequestFormProps {
  action: FormAction
  title: string
  back: ReactNode
  /** Null if the request is not on the device. */
  request: RequestRecord | null
}

interface FrameProps extends RequestFormProps {
  /** The form from `useDeclaredForm`. */
  form: { AppForm: ComponentType<{ children?: ReactNode }> }
  slug: FormSlug
  /** True if the form opens with the values registered in the CRM. Saving then requires a changed value. */
  isPrefilled?: boolean | undefined
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
