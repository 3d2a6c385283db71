import { CalendarDays, ChevronDown, Clock, type LucideIcon } from 'lucide-react'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { Icon, cx } from '#ui/base/icon.tsx'
import { useFieldTies } from './field.tsx'
import styles from './input.module.css'

/** A single-line text input inside a LabelledField. `num` sets digits of equal width for codes and numbers. */
export const TextInput = ({ num, ...props }: ComponentPropsWithRef<'input'> & { num?: boolean }) => (
  <input {...useFieldTies()} {...props} className={cx(styles.input, num && 'num')} />
)

export const TextArea = (props: ComponentPropsWithRef<'textarea'>) => (
  <textarea {...useFieldTies()} {...props} className={cx(styles.input, styles.area)} />
)

export const Select = (props: ComponentPropsWithRef<'select'>) => (
  <Iconed icon={ChevronDown}>
    <select {...useFieldTies()} {...props} className={cx(styles.input, styles.select)} />
  </Iconed>
)

/** A date input that opens the phone's date picker. Its value is YYYY-MM-DD. */
export const DateInput = (props: ComponentPropsWithRef<'input'>) => (
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

/** A time input that opens the phone's time picker. Its value is HH:MM. */
export const TimeInput = (props: ComponentPropsWithRef<'input'>) => (
  <Iconed icon={Clock}>
    <input
      {...useFieldTies()}
      {...props}
      type="time"
      className={cx(styles.input, styles.picker, styles.time, 'num')}
    />
  </Iconed>
)

const Iconed = ({ icon, children }: { icon: LucideIcon; children: ReactNode }) => (
  <span className={styles.iconed}>
    {children}
    <Icon as={icon} />
  </span>
)
