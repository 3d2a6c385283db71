import { useLingui } from '@lingui/react/macro'
import type { ComponentProps } from 'react'
import { filledText, firstMessages } from '#messages/first-messages.ts'
import { LabelledField } from '#ui/controls/field.tsx'
import { TextInput } from '#ui/controls/input.tsx'
import type { useLoginFields } from './use-login-fields.ts'

type LoginFieldProps = ReturnType<ReturnType<typeof useLoginFields>['field']> & {
  label: string
  help?: string
  required?: boolean
} & Omit<ComponentProps<typeof TextInput>, 'name' | 'defaultValue' | 'onChange'>

/** A text field of ログイン or ロック中. `useLoginFields` returns its properties. */
export function LoginField({ label, help, required = true, isMissing, input, ...own }: LoginFieldProps) {
  const { i18n } = useLingui()
  const error = isMissing ? filledText(i18n, firstMessages.ec00001, { field: label }) : undefined
  return (
    <LabelledField label={label} required={required} help={help} error={error}>
      <TextInput {...own} {...input} enterKeyHint="go" />
    </LabelledField>
  )
}
