import { type ComponentProps, useRef, type ChangeEvent, type CompositionEvent, type FocusEvent } from 'react'
import { LabelledField } from '#ui/controls/field.tsx'
import { DateInput, TextArea, TextInput, TimeInput } from '#ui/controls/input.tsx'
import { useFieldContext } from './form-contexts.ts'
import { PhrasePicker, useInsertion } from './phrase-picker.tsx'
import { useLongText } from './phrases.ts'
import { type FieldLabels, useBoundField } from './use-bound-field.ts'

type BoundProps = 'value' | 'onChange' | 'onBlur' | 'required' | 'id' | 'ref'
type TextFieldProps = FieldLabels & {
  /** Converts the text when the field loses focus. Example: `toHalfKana`. */
  convert?: (text: string) => string
} & Omit<ComponentProps<typeof TextInput>, BoundProps>

/** A single-line text field. */
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
  /** Sentences that 定型文 offers besides the user's own. Without sentences the field has no button 定型文. */
  phrases?: readonly string[]
} & Omit<ComponentProps<typeof TextArea>, BoundProps | 'maxLength'>

/** A multi-line text field with a counter. Text longer than `max` is not cut; the schema reports it. */
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

/** A date field. The value is YYYY-MM-DD or ''. */
export function DateField({ label, required, help }: FieldLabels) {
  const { error, onChange, ...field } = useBoundField<string>(label)
  return (
    <LabelledField label={label} required={required} help={help} error={error}>
      <DateInput {...field} onChange={(event) => onChange(event.currentTarget.value)} />
    </LabelledField>
  )
}

/** A time field. The value is HH:mm or ''. */
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
 * Event handlers that convert a text when its input loses focus. Converting earlier would break the composition of an
 * input method (IME). Safari ends the composition after the blur; the text is then converted at compositionend.
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
