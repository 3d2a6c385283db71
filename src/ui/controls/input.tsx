import { CalendarDays, ChevronDown, Clock, type LucideIcon } from 'lucide-react'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { cx } from '#ui/base/cx.ts'
import { useFieldTies } from './field.tsx'
import { Icon } from '#ui/base/icon.tsx'
import styles from './input.module.css'

/** A single-line text input inside a LabelledField. `num` sets digits of equal width for codes and numbers. */
export function TextInput({ num, ...props }: ComponentPropsWithRef<'input'> & { num?: boolean }) {
  return <input {...useFieldTies()} {...props} className={cx(styles.input, num && 'num')} />
}

export function TextArea(props: ComponentPropsWithRef<'textarea'>) {
  return <textarea {...useFieldTies()} {...props} className={cx(styles.input, styles.area)} />
}

export function Select(props: ComponentPropsWithRef<'select'>) {
  return (
    <Iconed icon={ChevronDown}>
      <select {...useFieldTies()} {...props} className={cx(styles.input, styles.select)} />
    </Iconed>
  )
}

/** A date input that opens the phone's date picker. Its value is YYYY-MM-DD. */
export function DateInput(props: ComponentPropsWithRef<'input'>) {
  return (
    <Iconed icon={CalendarDays}>
      <input
        {...useFieldTies()}
        {...props}
        type="date"
        max="9999-12-31"
        className={cx(styles.input, styles.picker, 'num')}
      />
    </Iconed>
  )
}

/** A time input that opens the phone's time picker. Its value is HH:MM. */
export function TimeInput(props: ComponentPropsWithRef<'input'>) {
  return (
    <Iconed icon={Clock}>
      <input
        {...useFieldTies()}
        {...props}
        type="time"
        className={cx(styles.input, styles.picker, styles.time, 'num')}
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
