import { CalendarDays, ChevronDown, Clock, type LucideIcon } from 'lucide-react'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { cx } from '#ui/base/cx.ts'
import { useFieldTies } from './field-context.ts'
import { Icon } from '#ui/base/icon.tsx'
import styles from './input.module.css'

type InputProps = Omit<ComponentPropsWithRef<'input'>, 'type'>

/** A single-line text input inside a LabelledField. `num` sets tabular digits for codes and numbers. */
export function TextInput({
  num,
  className,
  type,
  ...props
}: InputProps & { num?: boolean; type?: 'text' | 'password' | 'email' | 'tel' | 'search' }) {
  return (
    <input {...useFieldTies()} {...props} type={type} className={cx(styles.input, num && 'num', className)} />
  )
}

/** A multi-line text input inside a LabelledField. */
export function TextArea({ className, ...props }: ComponentPropsWithRef<'textarea'>) {
  return <textarea {...useFieldTies()} {...props} className={cx(styles.input, styles.area, className)} />
}

/** A select inside a LabelledField, for long lists. Children are option elements. */
export function Select({ className, children, ...props }: ComponentPropsWithRef<'select'>) {
  return (
    <Iconed icon={ChevronDown}>
      <select {...useFieldTies()} {...props} className={cx(styles.input, styles.select, className)}>
        {children}
      </select>
    </Iconed>
  )
}

/** A date input with the phone's own picker. Its value is YYYY-MM-DD. */
export function DateInput({ className, ...props }: InputProps) {
  return (
    <Iconed icon={CalendarDays}>
      <input
        {...useFieldTies()}
        {...props}
        type="date"
        // Limits the year to four digits.
        max="9999-12-31"
        className={cx(styles.input, styles.picker, 'num', className)}
      />
    </Iconed>
  )
}

/** A time input with the phone's own picker. Its value is HH:MM. */
export function TimeInput({ className, ...props }: InputProps) {
  return (
    <Iconed icon={Clock}>
      <input
        {...useFieldTies()}
        {...props}
        type="time"
        className={cx(styles.input, styles.picker, styles.time, 'num', className)}
      />
    </Iconed>
  )
}

function Iconed({ icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <span className={styles.iconed}>
      {children}
      <Icon as={icon} />
    </span>
  )
}
