import { useLingui } from '@lingui/react/macro'
import { shownLabel } from '#lib/language.ts'
import { CheckboxGroup, RadioGroup } from '#ui/controls/choice.tsx'
import { LabelledField } from '#ui/controls/field.tsx'
import { Select } from '#ui/controls/input.tsx'
import { type FieldLabels, useBoundField } from './use-bound-field.ts'

/** An option of a code table, such as `QuickReportType.options`. */
interface CodeOption {
  code: string
  label: string
}

interface ChoiceProps extends FieldLabels {
  options: readonly CodeOption[]
  /** Number of columns; more than one only if every label has at most 6 characters. */
  cols?: 1 | 2 | 3 | undefined
}

const asChoices = (options: readonly CodeOption[]) =>
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
        {options.map(({ code, label: text }) => (
          <option key={code} value={code}>
            {shownLabel(text)}
          </option>
        ))}
      </Select>
    </LabelledField>
  )
}
