import { useLingui } from '@lingui/react/macro'
import { CheckCheck } from 'lucide-react'
import { type RefObject, useId, useRef } from 'react'
import { Button } from './button.tsx'
import { FieldError } from './field.tsx'
import { Meter } from '#ui/feedback/meter.tsx'
import { useAllSeen } from '#ui/popup/use-all-seen.ts'
import styles from './tick.module.css'

interface CheckListProps {
  heading: string
  /** One sentence each. */
  items: readonly string[]
  /** As many as there are items. */
  ticks: readonly boolean[]
  /** Left out where it is only shown. */
  onTick?: ((index: number, on: boolean) => void) | undefined
  /** Ticks all at once; offered at the end of the lines, once each of them was in sight. */
  onTickAll?: (() => void) | undefined
  /** What is wrong while something is not ticked: the open ones are marked invalid. */
  error?: string | undefined
}

/** A checklist under a sticky head with n / total and a meter. Lines are tappable as a whole; what is done recedes. */
export function CheckList({ heading, items, ticks, onTick, onTickAll, error }: CheckListProps) {
  const id = useId()
  const lines = useRef<HTMLUListElement>(null)
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
      <ul ref={lines}>
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
      {onTickAll && (
        <TickAll lines={lines} heading={heading} done={done === items.length} onTickAll={onTickAll} />
      )}
    </section>
  )
}

interface TickAllProps {
  lines: RefObject<HTMLUListElement | null>
  heading: string
  done: boolean
  onTickAll: () => void
}

/** すべて確認 of one list. It keeps its place when all is ticked: what is below must not move under the thumb. */
function TickAll({ lines, heading, done, onTickAll }: TickAllProps) {
  const { t } = useLingui()
  const id = useId()
  const isSeen = useAllSeen(lines, !done)
  const isOff = done || !isSeen
  const label = done ? t`全項目を確認済` : t`すべて確認`
  return (
    <div className={styles.all}>
      <Button
        wide
        icon={CheckCheck}
        aria-label={`${heading} ${label}`}
        aria-disabled={isOff || undefined}
        aria-describedby={done || isSeen ? undefined : id}
        onClick={() => !isOff && onTickAll()}
      >
        {label}
      </Button>
      <p id={id}>{done || isSeen ? '' : t`項目をすべて見ると押せます`}</p>
    </div>
  )
}
