import type { LucideIcon } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { cx, Icon } from '#ui/base/icon.tsx'
import { FieldGroup } from './field.tsx'
import styles from './choice.module.css'
import checkbox from './checkbox.module.css'

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
    <Group
      {...group}
      box={(own) => ({ type: 'radio', name, checked: own === value, onChange: () => onChange(own) })}
    />
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
    <Group
      {...group}
      box={(own) => ({
        type: 'checkbox',
        checked: value.includes(own),
        onChange: (on) => onChange(toggled(own, on)),
      })}
    />
  )
}

type Box = Pick<ChoiceBoxProps, 'type' | 'name' | 'checked' | 'onChange'>

function Group<Value extends string>(props: GroupProps<Value> & { box: (own: Value) => Box }) {
  const { legend, hideLegend, cols = 1, options, box, ...field } = props
  return (
    <FieldGroup {...field} label={legend} hideLabel={hideLegend}>
      {() => (
        <div className={cx(styles.choices, cols > 1 && styles[`cols${cols}`])}>
          {options.map((option) => (
            <ChoiceBox
              key={option.value}
              {...option}
              {...box(option.value)}
              invalid={field.error !== undefined}
            />
          ))}
        </div>
      )}
    </FieldGroup>
  )
}

interface ChoiceBoxProps {
  type: 'radio' | 'checkbox'
  name?: string | undefined
  label: string
  icon?: LucideIcon | undefined
  checked: boolean
  disabled?: boolean | undefined
  invalid?: boolean | undefined
  onChange: (on: boolean) => void
}

/** A framed radio or checkbox whose whole area can be tapped, alone (緊出のみ) or in a RadioGroup or CheckboxGroup. */
export const ChoiceBox = ({ label, icon, invalid, onChange, ...input }: ChoiceBoxProps) => (
  <label className={cx(styles.choice, icon && styles.withIcon)}>
    <input
      className={checkbox.box}
      type={input.type}
      name={input.name}
      checked={input.checked}
      disabled={input.disabled}
      data-invalid={invalid || undefined}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <span>{label}</span>
    {icon && <Icon as={icon} />}
  </label>
)
