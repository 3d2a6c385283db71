import { useLingui } from '@lingui/react/macro'
import { CheckCheck } from 'lucide-react'
import { type RefObject, useId, useRef, useEffect, useState } from 'react'
import { cx } from '#ui/base/icon.tsx'
import { Button } from './button.tsx'
import checkbox from './checkbox.module.css'
import { FieldError } from './field.tsx'
import { Meter } from './meter.tsx'
import styles from './tick.module.css'

interface CheckListProps {
  heading: string
  items: readonly string[]
  ticks: readonly boolean[]
  onTick?: ((index: number, on: boolean) => void) | undefined
  /** Ticks all items. The button below the list works once the user has seen every item. */
  onTickAll?: (() => void) | undefined
  /** Shown until all items are ticked. Unticked items are marked as invalid. */
  error?: string | undefined
}

/** A checklist with a sticky header (n / total, meter). The whole line of an item can be tapped. */
export function CheckList({ heading, items, ticks, onTick, onTickAll, error }: CheckListProps) {
  const id = useId()
  const lines = useRef<HTMLUListElement>(null)
  const done = ticks.filter(Boolean).length
  const describedBy = error === undefined ? undefined : `${id}-error`
  return (
    <section className={cx(styles.check, 'row-block')} aria-labelledby={id}>
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
              <label className={cx(styles.tick, 'ring-label')}>
                <input
                  className={checkbox.box}
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

/** The button すべて確認 of a list. It stays when all items are ticked, so that the content below does not move. */
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

const COVERED = '-96px 0px -96px 0px'
const NEARLY_ALL = 0.9

type Visibility = Pick<IntersectionObserverEntry, 'intersectionRatio' | 'intersectionRect' | 'rootBounds'>

/** True if nearly the whole line is visible, or if the visible part of the line fills half of the screen. */
export const isInSight = ({ intersectionRatio, intersectionRect, rootBounds }: Visibility): boolean =>
  intersectionRatio >= NEARLY_ALL ||
  (intersectionRatio > 0 && rootBounds !== null && intersectionRect.height >= rootBounds.height / 2)

function useAllSeen(list: RefObject<HTMLElement | null>, isWatched: boolean): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const lines = [...(list.current?.children ?? [])]
    if (isSeen || !isWatched) return undefined
    const unseen = new Set<Element>(lines)
    const observer = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) {
          if (!isInSight(entry)) continue
          unseen.delete(entry.target)
          observer.unobserve(entry.target)
        }
        if (unseen.size === 0) setSeen(true)
      },
      { rootMargin: COVERED, threshold: [0, 0.25, 0.5, 0.75, NEARLY_ALL] },
    )
    for (const line of lines) observer.observe(line)
    return () => observer.disconnect()
  }, [list, isSeen, isWatched])
  return isSeen
}
