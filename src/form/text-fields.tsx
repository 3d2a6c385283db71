import { type ComponentProps, useRef, type ChangeEvent, type CompositionEvent, type FocusEvent } from 'react'
import { LabelledField } from '#ui/controls/field.tsx'
import { DateInput, TextArea, TextInput, TimeInput } from '#ui/controls/input.tsx'
import { useFieldContext } from './form-contexts.ts'
import { PhrasePicker, useInsertion } from './phrase-picker.tsx'
import { useLongText } from './phrases.ts'
import { type FieldLabels, useBoundField } from './use-bound-field.ts'

type BoundProps = 'value' | 'onChange' | 'onBlur' | 'required' | 'id' | 'ref'
type TextFieldProps = FieldLabels & {
  /** Converts the text when the field loses focus, for example `toHalfKana`. */
  convert?: (text: string) => string
} & Omit<ComponentProps<typeof TextInput>, BoundProps>

export function TextField({ label, required, help, convert, ...input }: TextFieldProps) {
  const { error, value, ...field } = useBoundField<string>(label)
  const handlers = useConverted({ convert, ...field })
  return (
    <LabelledField label={label} required={required} help={help} error={error}>
      <TextInput {...input} {...handlers} value={value} />
    </LabelledField>
  )
}

export function PasswordField(props: Omit<TextFieldProps, 'type'>) {
  return <TextField autoComplete="current-password" {...props} type="password" />
}

type TextAreaFieldProps = FieldLabels & {
  max: number
  /** The fixed sentences of 定型文. Without them the field has no button 定型文. */
  phrases?: readonly string[]
} & Omit<ComponentProps<typeof TextArea>, BoundProps | 'maxLength'>

/** A text area with a counter. A text longer than `max` is not cut, but the schema reports it. */
export function TextAreaField({ label, required, help, max, phrases, ...input }: TextAreaFieldProps) {
  const { error, onChange, ...field } = useBoundField<string>(label)
  const { area, insert } = useInsertion(field.value, onChange)
  const { name } = useFieldContext()
  useLongText(name, phrases)
  return (
    <LabelledField
      label={label}
      required={required}
      help={help}
      error={error}
      count={{ n: field.value.length, max }}
      tool={phrases && <PhrasePicker name={name} phrases={phrases} onPick={insert} />}
    >
      <TextArea {...input} {...field} ref={area} onChange={(event) => onChange(event.currentTarget.value)} />
    </LabelledField>
  )
}

/** A date field with the value YYYY-MM-DD or ''. */
export function DateField({ label, required, help }: FieldLabels) {
  const { error, onChange, ...field } = useBoundField<string>(label)
  return (
    <LabelledField label={label} required={required} help={help} error={error}>
      <DateInput {...field} onChange={(event) => onChange(event.currentTarget.value)} />
    </LabelledField>
  )
}

/** A time field with the value HH:mm or ''. */
export function TimeField({ label, required, help }: FieldLabels) {
  const { error, onChange, ...field } = useBoundField<string>(label)
  return (
    <LabelledField label={label} required={required} help={help} error={error}>
      <TimeInput {...field} onChange={(event) => onChange(event.currentTarget.value)} />
    </LabelledField>
  )
}

type Text = HTMLInputElement
interface Converted {
  convert: ((text: string) => string) | undefined
  onChange: (text: string) => void
}

/**
 * Event handlers that convert the text on blur, because an earlier conversion would disturb an input method (IME). In
 * Safari a composition ends after the blur, so `compositionend` then converts the text.
 */
function useConverted({ convert, onChange }: Converted) {
  const isComposing = useRef(false)
  const isBlurred = useRef(false)
  const rewrite = ({ value }: Text) => {
    const converted = convert?.(value) ?? value
    if (converted !== value) onChange(converted)
  }
  return {
    onChange: ({ currentTarget }: ChangeEvent<Text>) => onChange(currentTarget.value),
    onFocus: () => void (isBlurred.current = false),
    onCompositionStart: () => void (isComposing.current = true),
    onCompositionEnd: ({ currentTarget }: CompositionEvent<Text>) => {
      isComposing.current = false
      if (isBlurred.current) rewrite(currentTarget)
    },
    onBlur: ({ currentTarget }: FocusEvent<Text>) => {
      isBlurred.current = true
      if (!isComposing.current) rewrite(currentTarget)
    },
  }
}
