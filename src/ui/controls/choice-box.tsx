import type { LucideIcon } from 'lucide-react'
import { cx } from '#ui/base/cx.ts'
import { Icon } from '#ui/base/icon.tsx'
import checkbox from './checkbox.module.css'
import styles from './choice.module.css'

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
export function ChoiceBox({ label, icon, invalid, onChange, ...input }: ChoiceBoxProps) {
  return (
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
}
