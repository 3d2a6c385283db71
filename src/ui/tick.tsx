import { type ReactNode, useId } from 'react'
import { Meter } from './meter.tsx'
import styles from './tick.module.css'

interface CheckListProps {
  heading: string
  done: number
  total: number
  /** Ticks. */
  children: ReactNode
}

/** A checklist under a sticky head with n / total and a meter. */
export function CheckList({ heading, done, total, children }: CheckListProps) {
  const id = useId()
  return (
    <section className={styles.check} aria-labelledby={id}>
      <div className={styles.head}>
        <h3 id={id}>{heading}</h3>
        <span className={`${styles.left} num`}>
          <b>{done}</b> / {total}
        </span>
        <div className={styles.meter}>
          <Meter value={done} max={total} />
        </div>
      </div>
      <ul>{children}</ul>
    </section>
  )
}

interface TickProps {
  label: string
  checked: boolean
  onChange: (on: boolean) => void
  disabled?: boolean | undefined
}

/** One line of a checklist, tappable as a whole; what is done recedes. */
export function Tick({ label, checked, onChange, disabled }: TickProps) {
  return (
    <li>
      <label className={styles.tick}>
        <input
          type="checkbox"
          checked={checked}
          disabled={disabled}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>{label}</span>
      </label>
    </li>
  )
}
