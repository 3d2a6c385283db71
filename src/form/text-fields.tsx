import type { ComponentProps } from 'react'
import { Field } from '#ui/field.tsx'
import { DateInput, TextArea, TextInput, TimeInput } from '#ui/input.tsx'
import { type FieldLabels, useBoundField } from './use-bound-field.ts'
import { useConverted } from './use-converted.ts'

type Own = 'value' | 'onChange' | 'onBlur' | 'required' | 'id' | 'ref'
type TextFieldProps = FieldLabels & {
  /** Rewrites what was typed when the field is left: `toHalfKana`. */
  convert?: (text: string) => string
} & Omit<ComponentProps<typeof TextInput>, Own>

/** A line of text. */
export function TextField({ label, required, help, convert, ...input }: TextFieldProps) {
  const { error, value, ...field } = useBoundField<string>(label)
  const handlers = useConverted({ convert, ...field })
  return (
    <Field label={label} required={required} help={help} error={error}>
      <TextInput {...input} {...handlers} value={value} />
    </Field>
  )
}

/** A secret. */
export function PasswordField(props: Omit<TextFieldProps, 'type'>) {
  return <TextField autoComplete="current-password" {...props} type="password" />
}

type TextAreaFieldProps = FieldLabels & { max: number } & Omit<
    ComponentProps<typeof TextArea>,
    Own | 'maxLength'
  >

/** Several lines, with a counter. What is longer than `max` is not cut off: the schema says so. */
export function TextAreaField({ label, required, help, max, ...input }: TextAreaFieldProps) {
  const { error, onChange, ...field } = useBoundField<string>(label)
  return (
    <Field label={label} required={required} help={help} error={error} count={{ n: field.value.length, max }}>
      <TextArea {...input} {...field} onChange={(event) => onChange(event.currentTarget.value)} />
    </Field>
  )
}

/** A day: YYYY-MM-DD, or ''. */
export function DateField({ label, required, help }: FieldLabels) {
  const { error, onChange, ...field } = useBoundField<string>(label)
  return (
    <Field label={label} required={required} help={help} error={error}>
      <DateInput {...field} onChange={(event) => onChange(event.currentTarget.value)} />
    </Field>
  )
}

/** A time of day: HH:mm, or ''. */
export function TimeField({ label, required, help }: FieldLabels) {
  const { error, onChange, ...field } = useBoundField<string>(label)
  return (
    <Field label={label} required={required} help={help} error={error}>
      <TimeInput {...field} onChange={(event) => onChange(event.currentTarget.value)} />
    </Field>
  )
}
