import { useId } from 'react'
import { FieldError } from './field.tsx'
import { Meter } from './meter.tsx'
import styles from './tick.module.css'

interface CheckListProps {
  heading: string
  /** One sentence each. */
  items: readonly string[]
  /** As many as there are items. */
  ticks: readonly boolean[]
  /** Left out where it is only shown. */
  onTick?: ((index: number, on: boolean) => void) | undefined
  /** What is wrong while something is not ticked: the open ones are marked invalid. */
  error?: string | undefined
}

/** A checklist under a sticky head with n / total and a meter. Lines are tappable as a whole; what is done recedes. */
export function CheckList({ heading, items, ticks, onTick, error }: CheckListProps) {
  const id = useId()
  const done = ticks.filter(Boolean).length
  const describedBy = error === undefined ? undefined : `${id}-error`
  return (
    <section className={styles.check} aria-labelledby={id}>
      <div className={styles.head}>
        <h3 id={id}>{heading}</h3>
        <span className={`${styles.left} num`}>
          <b>{done}</b> / {items.length}
        </span>
        <div className={styles.meter}>
          <Meter value={done} max={items.length} />
        </div>
        {describedBy !== undefined && (
          <div className={styles.error}>
            <FieldError id={describedBy}>{error}</FieldError>
          </div>
        )}
      </div>
      <ul>
        {items.map((label, index) => {
          const checked = ticks[index] === true
          const invalid = !checked && describedBy !== undefined
          return (
            <li key={label}>
              <label className={styles.tick}>
                <input
                  type="checkbox"
                  checked={checked}
                  disabled={onTick === undefined}
                  aria-invalid={invalid || undefined}
                  aria-describedby={invalid ? describedBy : undefined}
                  onChange={(event) => onTick?.(index, event.currentTarget.checked)}
                />
                <span>{label}</span>
              </label>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
