import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { ChoiceBox } from './choice-box.tsx'
import { cx } from '#ui/base/cx.ts'
import { FieldError, fieldIds, RequiredMark } from './field.tsx'
import field from './field.module.css'
import styles from './choice.module.css'

export interface ChoiceOption<Value extends string> {
  value: Value
  label: string
  icon?: LucideIcon | undefined
  disabled?: boolean | undefined
}

interface GroupProps<Value extends string> {
  legend: string
  /** Hides the legend visually, because a heading shows the same text. Screen readers still announce it. */
  hideLegend?: boolean | undefined
  required?: boolean | undefined
  help?: ReactNode
  error?: string | undefined
  /** Two columns fit labels of up to six characters, three columns up to three. */
  cols?: 1 | 2 | 3 | undefined
  options: readonly ChoiceOption<Value>[]
  /** Id of the fieldset; generated if omitted. */
  id?: string | undefined
}

interface RadioGroupProps<Value extends string> extends GroupProps<Value> {
  value: Value | null | undefined
  onChange: (value: Value) => void
}

/** A group of which exactly one option is chosen. */
export function RadioGroup<Value extends string>({ value, onChange, ...group }: RadioGroupProps<Value>) {
  const name = useId()
  return (
    <Group {...group}>
      {group.options.map((option) => (
        <ChoiceBox
          key={option.value}
          {...option}
          type="radio"
          name={name}
          checked={option.value === value}
          invalid={group.error !== undefined}
          onChange={() => onChange(option.value)}
        />
      ))}
    </Group>
  )
}

interface CheckboxGroupProps<Value extends string> extends GroupProps<Value> {
  value: readonly Value[]
  onChange: (value: Value[]) => void
}

/** A group of which any number of options is chosen. The value lists them in the order of `options`. */
export function CheckboxGroup<Value extends string>(props: CheckboxGroupProps<Value>) {
  const { value, onChange, ...group } = props
  const toggled = (changed: Value, on: boolean) =>
    group.options
      .map((option) => option.value)
      .filter((each) => (each === changed ? on : value.includes(each)))
  return (
    <Group {...group}>
      {group.options.map((option) => (
        <ChoiceBox
          key={option.value}
          {...option}
          type="checkbox"
          checked={value.includes(option.value)}
          invalid={group.error !== undefined}
          onChange={(on) => onChange(toggled(option.value, on))}
        />
      ))}
    </Group>
  )
}

function Group(props: Omit<GroupProps<string>, 'options'> & { children: ReactNode }) {
  const { legend, hideLegend, required, help, error, cols = 1, id, children } = props
  const generatedId = useId()
  const ids = fieldIds(id ?? generatedId, { required, help, error })
  return (
    <fieldset
      id={id ?? generatedId}
      className={cx(field.field, error !== undefined && field.invalid)}
      aria-describedby={ids.describedBy}
      aria-invalid={error !== undefined || undefined}
    >
      <legend className={hideLegend ? 'vh' : field.label}>
        {legend}
        {required && <RequiredMark id={ids.required} />}
      </legend>
      {help && (
        <div className={field.help} id={ids.help}>
          {help}
        </div>
      )}
      <div className={cx(styles.choices, !hideLegend && field.control, cols > 1 && styles[`cols${cols}`])}>
        {children}
      </div>
      {error !== undefined && <FieldError id={ids.error}>{error}</FieldError>}
    </fieldset>
  )
}
