import { useLingui } from '@lingui/react/macro'
import { Check, type LucideIcon } from 'lucide-react'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { Icon, cx, wrapper } from '#ui/base/icon.tsx'
import { Meter } from '#ui/controls/meter.tsx'
import { SendStateBadge, type SendStateName } from './send-state.tsx'
import styles from './queue.module.css'

/** The list of cards in sending order. A QueuePlace wraps each JobCard. */
export const Queue = wrapper('ol', styles.queue)

/** The list item around a JobCard. Its height never shrinks, because cards must not move under the finger. */
export function QueuePlace({ children }: { children: ReactNode }) {
  const place = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return undefined
    let seenWidth = 0
    const sizes = new ResizeObserver(() => {
      const { offsetWidth, style } = element
      // The min-height was measured at another width and may be wrong.
      if (offsetWidth !== seenWidth) style.minHeight = ''
      seenWidth = offsetWidth
      style.minHeight = `${element.offsetHeight}px`
    })
    sizes.observe(element)
    return () => sizes.disconnect()
  }, [])
  return (
    <li ref={place} className={styles.item}>
      {children}
    </li>
  )
}

interface JobProps {
  anchor?: string | undefined
  no?: number | undefined
  state: SendStateName
  what: string
  code: string
  place: string
  stamp: string
  reason?: string | undefined
  raw?: readonly string[] | undefined
  /** Numbers of the record's photos. `wait`: why the unsent photos are not sent yet. */
  photos?: { sent: number; total: number; wait?: string | undefined } | undefined
  actions?: ReactNode
}

/** A card of 送信状況: a queued change, unsent photos, or a sent change. */
export function JobCard(props: JobProps) {
  const { anchor, no, state, what, code, place, stamp, reason, raw = [], photos, actions } = props
  const { t } = useLingui()
  const id = useId()
  const [sent, total] = [photos?.sent ?? 0, photos?.total ?? 0]
  return (
    <>
      <span className={cx(styles.no, styles[state], 'num')} aria-hidden="true">
        {state === 'done' ? <Icon as={Check} /> : no}
      </span>
      <article
        id={anchor}
        tabIndex={anchor === undefined ? undefined : -1}
        className={cx(styles.job, styles[`job-${state}`])}
        aria-labelledby={id}
      >
        <div className={styles.top}>
          <h2 id={id}>{what}</h2>
          <SendStateBadge state={state} />
        </div>
        <p className={styles.meta}>
          <span className="num">{code}</span>　<span className="keep">{place}</span>
          <br />
          <span className="num">{stamp}</span>
        </p>
        {reason !== undefined && <p className={styles.why}>{reason}</p>}
        {raw.length > 0 && (
          <details className={styles.raw}>
            <summary>{t`CRMの回答`}</summary>
            {raw.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </details>
        )}
        {photos && (
          <div className={styles.photos}>
            <span className="num">{t`写真 ${sent} / ${total}枚 送信済`}</span>
            <Meter value={sent} max={total} />
            {photos.wait !== undefined && <p>{photos.wait}</p>}
          </div>
        )}
        {actions && <div className={styles.actions}>{actions}</div>}
      </article>
    </>
  )
}

interface JobActionProps {
  icon?: LucideIcon | undefined
  danger?: boolean | undefined
  disabled?: boolean | undefined
  onClick: () => void
  children: string
}

/** A button at the bottom of the card: 再送, 内容を開く or 破棄. */
export const JobAction = ({ icon, danger, disabled, onClick, children }: JobActionProps) => (
  <button
    type="button"
    className={cx('ring-in', danger && styles.danger)}
    disabled={disabled}
    onClick={onClick}
  >
    {icon && <Icon as={icon} />}
    {children}
  </button>
)
