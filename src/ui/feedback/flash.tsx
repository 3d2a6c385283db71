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
import { type ReactNode, useRef } from 'react'
import type { FlashAbout, FlashMode } from '#lib/flash-kinds.ts'
import { cx } from '#ui/base/cx.ts'
import { Icon } from '#ui/base/icon.tsx'
import { useBannerRoom } from '#ui/layout/use-banner-room.ts'
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
  /** A subject with its own icon. Without one, `mode` decides the icon. */
  about?: FlashAbout | undefined
  /** Hides the banner on screens with a form. */
  yields?: boolean | undefined
  title?: string | undefined
  /** Line breaks in the text are preserved. */
  text: ReactNode
  /** Called by the close button. Without a function there is no close button (timeout, login). */
  onClose?: (() => void) | undefined
  /** A wide ButtonAnchor or Button below the text. Example: ログイン. */
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
