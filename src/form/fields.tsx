import { useLingui } from '@lingui/react/macro'
import { type ComponentProps, useRef, type ChangeEvent, type CompositionEvent, type FocusEvent } from 'react'
import { shownLabel } from '#lib/language.ts'
import { CheckboxGroup, RadioGroup } from '#ui/controls/choice.tsx'
import { LabelledField } from '#ui/controls/field.tsx'
import { DateInput, Select, TextArea, TextInput, TimeInput } from '#ui/controls/input.tsx'
import { type FieldLabels, useBoundField, useFieldContext } from './form-contexts.ts'
import { PhrasePicker, useInsertion, useLongText } from './phrases.tsx'

interface ChoiceProps extends FieldLabels {
  /** The options of a code table, such as `QuickReportType.options`. */
  options: readonly { code: string; label: string }[]
  /** Number of columns; more than one only if every label has at most 6 characters. */
  cols?: 1 | 2 | 3 | undefined
}

const asChoices = (options: ChoiceProps['options']) =>
  options.map(({ code, label }) => ({ value: code, label: shownLabel(label) }))

/** Radio buttons for a few codes. The value is '' without a choice. */
export function RadioField({ label, options, ...group }: ChoiceProps) {
  const field = useBoundField<string>(label)
  return <RadioGroup {...group} legend={label} options={asChoices(options)} {...field} />
}

export function CheckboxesField({ label, options, ...group }: ChoiceProps) {
  const field = useBoundField<string[]>(label)
  return <CheckboxGroup {...group} legend={label} options={asChoices(options)} {...field} />
}

/** A select for many codes. The value is '' without a choice. */
export function SelectField({ label, required, help, options }: Omit<ChoiceProps, 'cols'>) {
  const { t } = useLingui()
  const { error, onChange, ...field } = useBoundField<string>(label)
  return (
    <LabelledField label={label} required={required} help={help} error={error}>
      <Select {...field} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{t`選択してください`}</option>
        {asChoices(options).map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Select>
    </LabelledField>
  )
}

const timeField = (Input: typeof DateInput) =>
  function Field({ label, required, help }: FieldLabels) {
    const { error, onChange, ...field } = useBoundField<string>(label)
    return (
      <LabelledField label={label} required={required} help={help} error={error}>
        <Input {...field} onChange={(event) => onChange(event.currentTarget.value)} />
      </LabelledField>
    )
  }

/** A date field with the value YYYY-MM-DD or ''. */
export const DateField = timeField(DateInput)
/** A time field with the value HH:mm or ''. */
export const TimeField = timeField(TimeInput)

type BoundProps = 'value' | 'onChange' | 'onBlur' | 'required' | 'id' | 'ref'
type TextFieldProps = FieldLabels & {
  /** Converts the text when the field loses focus, for example `toHalfKana`. */
  convert?: (text: string) => string
} & Omit<ComponentProps<typeof TextInput>, BoundProps>

export function TextField({ label, required, help, convert, ...input }: TextFieldProps) {
  const { error, value, onChange } = useBoundField<string>(label)
  const handlers = useConverted(convert, onChange)
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

/**
 * Event handlers that convert the text on blur, because an earlier conversion would disturb an input method (IME). In
 * Safari a composition ends after the blur, so `compositionend` then converts the text.
 */
function useConverted(convert: TextFieldProps['convert'], onChange: (text: string) => void) {
  const isComposing = useRef(false)
  const isBlurred = useRef(false)
  const rewrite = ({ value }: HTMLInputElement) => {
    const converted = convert?.(value) ?? value
    if (converted !== value) onChange(converted)
  }
  return {
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement>) => onChange(currentTarget.value),
    onFocus: () => void (isBlurred.current = false),
    onCompositionStart: () => void (isComposing.current = true),
    onCompositionEnd: ({ currentTarget }: CompositionEvent<HTMLInputElement>) => {
      isComposing.current = false
      if (isBlurred.current) rewrite(currentTarget)
    },
    onBlur: ({ currentTarget }: FocusEvent<HTMLInputElement>) => {
      isBlurred.current = true
      if (!isComposing.current) rewrite(currentTarget)
    },
  }
}
