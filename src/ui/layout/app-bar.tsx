import { useLingui } from '@lingui/react/macro'
import { createLink, useCanGoBack, useRouter } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import {
  type ComponentPropsWithRef,
  type MouseEvent,
  type ReactNode,
  type SyntheticEvent,
  use,
  useSyncExternalStore,
  type RefObject,
  useEffect,
  useRef,
} from 'react'
import type { Flag } from '#lib/flag.ts'
import { goBack } from '#lib/browser/own-back.ts'
import { cx } from './cx.ts'
import { Icon } from './icon.tsx'
import { ProductMark } from '#ui/feedback/mark-svg.tsx'
import { usePane } from './pane.ts'
import { isPlainClick } from '#ui/controls/plain-click.ts'
import { PressGuardContext } from '#ui/controls/press-guard.ts'
import styles from './app-bar.module.css'

interface AppBarProps {
  title: ReactNode
  /** A title of two lines (give it one <wbr>). */
  long?: boolean | undefined
  /** Shown under the title when `stuck`: the place name. */
  sub?: string | undefined
  /** From useStuck. */
  stuck?: Flag | undefined
  /** BackLink or BackButton; without it the product's mark. */
  back?: ReactNode
  /** ConnectionBadge. Left out in the wide layout, where the rail holds it. */
  right?: ReactNode
  /** The board carries the title in the wide layout (Board `title`), so this bar goes. */
  titleInBoard?: boolean | undefined
}

const NEVER: Flag = { get: () => false, subscribe: () => () => undefined }

/** The bar that heads a screen. In the list pane of the wide layout its title is an h2: the h1 is the view's. */
export function AppBar({ title, long, sub, stuck = NEVER, back, right, titleInBoard }: AppBarProps) {
  const pane = usePane()
  const heading = useFocusOnArrival()
  const isStuck = useSyncExternalStore(stuck.subscribe, stuck.get)
  if (pane === 'view' && titleInBoard) return null
  const Title = pane === 'list' ? 'h2' : 'h1'
  const showSub = isStuck && sub !== undefined
  return (
    <header className={cx(styles.head, pane && styles.inPane)}>
      <div className={styles.bar}>
        {back ??
          (pane ? (
            <span className={styles.noMark} />
          ) : (
            <span className={styles.mark}>{<ProductMark />}</span>
          ))}
        <div className={cx(styles.titles, showSub && styles.stuck)}>
          <Title ref={heading} tabIndex={-1} className={cx(styles.title, long && styles.long)}>
            {title}
          </Title>
          {showSub && (
            <p className={cx(styles.sub, 'num')} aria-hidden="true">
              {sub}
            </p>
          )}
        </div>
        {!pane && right}
      </div>
    </header>
  )
}

/** When 戻る was pressed, on whichever screen. */
let pressedAt = -Infinity

/** Two quick taps are one: the second would go back further, also where it meets the 戻る of the screen before. */
function useOneTap() {
  const guardMs = use(PressGuardContext)
  return (event: SyntheticEvent) => {
    if (event.timeStamp - pressedAt >= guardMs) pressedAt = event.timeStamp
    else {
      event.preventDefault()
      event.stopPropagation()
    }
  }
}

function BackAnchor({ href, className, onClick, ...props }: Omit<ComponentPropsWithRef<'a'>, 'children'>) {
  const { t } = useLingui()
  const { history } = useRouter()
  const canGoBack = useCanGoBack()
  const leave = (event: MouseEvent<HTMLAnchorElement>) => {
    if (!canGoBack || !isPlainClick(event)) return onClick?.(event)
    event.preventDefault()
    goBack(history)
  }
  return (
    <a
      {...props}
      href={href}
      onClick={leave}
      className={cx(styles.back, className)}
      aria-label={t`戻る`}
      aria-current={undefined}
      onClickCapture={useOneTap()}
    >
      <Icon as={ArrowLeft} />
    </a>
  )
}

/** 戻る: to where one came from, else to the route it names (the screen was opened by its address). */
export const BackLink = createLink(BackAnchor)

/** 戻る that first asks, or goes back in history. */
export function BackButton({ onClick }: { onClick: () => void }) {
  const { t } = useLingui()
  return (
    <button
      type="button"
      className={styles.back}
      aria-label={t`戻る`}
      onClickCapture={useOneTap()}
      onClick={onClick}
    >
      <Icon as={ArrowLeft} />
    </button>
  )
}

/**
 * The heading of a screen that one was led to takes the focus that the last screen left: what is read out and tabbed from
 * begins there. Not on the first screen of a visit, and not where something else has the focus already.
 */
function useFocusOnArrival(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const router = useRouter({ warn: false })
  const pane = usePane()
  useEffect(() => {
    const wasLed = (router?.history.location.state.__TSR_index ?? 0) > 0
    if (wasLed && pane !== 'list' && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true })
    // only as the screen comes: later the focus is the user's
  }, [router, pane])
  return heading
}
