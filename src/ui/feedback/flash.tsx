import { useLingui } from '@lingui/react/macro'
import {
  CircleAlert,
  CircleCheck,
  Clock,
  CloudOff,
  Info,
  KeyRound,
  Lock,
  type LucideIcon,
  Mail,
  Timer,
  TriangleAlert,
  X,
} from 'lucide-react'
import { type ReactNode, useRef, type RefObject, useLayoutEffect } from 'react'
import type { FlashAbout, FlashMode } from '#lib/flash-kinds.ts'
import { Icon, cx } from '#ui/base/icon.tsx'
import styles from './flash.module.css'

const icons: Record<FlashMode, LucideIcon> = {
  danger: CircleAlert,
  info: Info,
  warning: TriangleAlert,
  success: CircleCheck,
  email: Mail,
  timeout: Timer,
}

const aboutIcons: Record<FlashAbout, LucideIcon> = {
  offline: CloudOff,
  sealed: Lock,
  passkey: KeyRound,
  wait: Clock,
}

interface FlashBannerProps {
  mode: FlashMode
  about?: FlashAbout | undefined
  /** Hides the banner on screens with a form. */
  yields?: boolean | undefined
  title?: string | undefined
  text: ReactNode
  /** Called by the close button. Without a function there is no close button (timeout, login). */
  onClose?: (() => void) | undefined
  action?: ReactNode
}

/** One banner. `danger` and `timeout` interrupt a screen reader (role alert); other modes do not (role status). */
export function FlashBanner({ mode, about, yields, title, text, onClose, action }: FlashBannerProps) {
  const { t } = useLingui()
  const urgent = mode === 'danger' || mode === 'timeout'
  return (
    <div
      className={cx(styles.flash, styles[mode], yields && styles.yields)}
      role={urgent ? 'alert' : 'status'}
    >
      <span className={styles.icon}>
        <Icon as={about ? aboutIcons[about] : icons[mode]} />
      </span>
      <div className={styles.body}>
        {title !== undefined && <p className={styles.title}>{title}</p>}
        <p className={styles.text}>{text}</p>
        {action && <div className={styles.action}>{action}</div>}
      </div>
      {onClose && (
        <button
          type="button"
          className={cx(styles.close, 'ring-in')}
          aria-label={t`閉じる`}
          onClick={onClose}
        >
          <Icon as={X} />
        </button>
      )}
    </div>
  )
}

/** The banners above the footer, newest first. They do not scroll with the page. */
export function FlashList({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  const stack = useRef<HTMLElement>(null)
  useBannerRoom(stack)
  return (
    <section ref={stack} className={styles.flashes} aria-label={t`お知らせ`}>
      {children}
    </section>
  )
}

const heightOf = (style: CSSStyleDeclaration, name: string) =>
  Number.parseFloat(style.getPropertyValue(name)) || 0

/**
 * Publishes the banners' height on the page and the content: `--covered` is the current one, for `scroll-padding`;
 * `--flash-room` is the greatest so far. It never shrinks, because the page would move while the user reads.
 */
function useBannerRoom(banners: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const stack = banners.current
    const content = stack?.closest('[data-screen]')?.querySelector<HTMLElement>('[data-room]')
    if (!stack || !content) return undefined
    const scrollers = [document.documentElement.style, content.style]
    const measure = () => {
      const { offsetHeight } = stack
      for (const style of scrollers) style.setProperty('--covered', `${offsetHeight}px`)
      const room = Math.max(offsetHeight, heightOf(content.style, '--flash-room'))
      content.style.setProperty('--flash-room', `${room}px`)
      uncoverFocus(stack)
    }
    // The observer also reports the initial size after layout. Reading it here would force an early layout.
    const sizes = new ResizeObserver(measure)
    sizes.observe(stack)
    return () => {
      sizes.disconnect()
      for (const style of scrollers) style.removeProperty('--covered')
    }
  }, [banners])
}

function uncoverFocus(banners: HTMLElement): void {
  const active = document.activeElement
  if (!active?.matches('main :focus-visible')) return
  const { top, bottom } = banners.getBoundingClientRect()
  const field = active.getBoundingClientRect()
  if (field.bottom > top && field.top < bottom) active.scrollIntoView({ block: 'nearest' })
}
