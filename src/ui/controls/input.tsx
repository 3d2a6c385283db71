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

/** A multi-line text input inside a LabelledField. */
export function TextArea(props: ComponentPropsWithRef<'textarea'>) {
  return <textarea {...useFieldTies()} {...props} className={cx(styles.input, styles.area)} />
}

/** A select inside a LabelledField, for long lists. Children are option elements. */
export function Select(props: ComponentPropsWithRef<'select'>) {
  return (
    <Iconed icon={ChevronDown}>
      <select {...useFieldTies()} {...props} className={cx(styles.input, styles.select)} />
    </Iconed>
  )
}

/** A date input with the phone's own picker. Its value is YYYY-MM-DD. */
export function DateInput(props: ComponentPropsWithRef<'input'>) {
  return (
    <Iconed icon={CalendarDays}>
      <input
        {...useFieldTies()}
        {...props}
        type="date"
        // Limits the year to four digits.
        max="9999-12-31"
        className={cx(styles.input, styles.picker, 'num')}
      />
    </Iconed>
  )
}

/** A time input with the phone's own picker. Its value is HH:MM. */
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
