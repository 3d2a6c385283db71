import { type ComponentProps, useRef, type ChangeEvent, type CompositionEvent, type FocusEvent } from 'react'
import { Field } from '#ui/controls/field.tsx'
import { DateInput, TextArea, TextInput, TimeInput } from '#ui/controls/input.tsx'
import { type FieldLabels, useBoundField } from './use-bound-field.ts'

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

type Text = HTMLInputElement
interface Converted {
  convert: ((text: string) => string) | undefined
  onChange: (text: string) => void
}

/**
 * The handlers of a line of text that is rewritten when it is left, and never before: an input method (IME) that is at
 * work would lose what it composes. Where leaving ends the composition late (Safari), the text is rewritten at its end.
 */
function useConverted({ convert, onChange }: Converted) {
  const composing = useRef(false)
  const left = useRef(false)
  const rewrite = ({ value }: Text) => {
    const converted = convert?.(value) ?? value
    if (converted !== value) onChange(converted)
  }
  return {
    onChange: ({ currentTarget }: ChangeEvent<Text>) => onChange(currentTarget.value),
    onFocus: () => void (left.current = false),
    onCompositionStart: () => void (composing.current = true),
    onCompositionEnd: ({ currentTarget }: CompositionEvent<Text>) => {
      composing.current = false
      if (left.current) rewrite(currentTarget)
    },
    onBlur: ({ currentTarget }: FocusEvent<Text>) => {
      left.current = true
      if (!composing.current) rewrite(currentTarget)
    },
  }
}
