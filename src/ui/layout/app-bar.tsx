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
import type { ValueStore } from '#lib/value-store.ts'
import { goBack } from '#lib/browser/own-back.ts'
import { Icon, cx, ProductMark } from '#ui/base/icon.tsx'
import { usePane } from './screen.tsx'
import { isPlainClick, PressGuardContext } from '#ui/base/press-guard.ts'
import styles from './app-bar.module.css'

interface AppBarProps {
  title: ReactNode
  /** Allows a title of two lines. A <wbr> in the title marks the break. */
  long?: boolean | undefined
  sub?: string | undefined
  stuck?: ValueStore<boolean> | undefined
  /** A BackLink or BackButton. Without it, the bar shows the logo. */
  back?: ReactNode
  /** A ConnectionBadge. Not shown in the wide layout, where Rail has one. */
  right?: ReactNode
  /** Hides this bar in the wide layout, where RequestBoard shows the title (`title` of RequestBoard). */
  titleInBoard?: boolean | undefined
}

const NEVER: ValueStore<boolean> = { get: () => false, subscribe: () => () => undefined }

/** A screen's header bar. In the list pane of the wide layout its title is an h2, because the view pane has the h1. */
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
            <span className={styles.mark}>
              <ProductMark />
            </span>
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

let pressedAt = -Infinity

/** Ignores the second of two quick taps on 戻る, which would press 戻る of the previous screen and go back once more. */
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
      className={cx(styles.back, 'ring-in', className)}
      aria-label={t`戻る`}
      aria-current={undefined}
      onClickCapture={useOneTap()}
    >
      <Icon as={ArrowLeft} />
    </a>
  )
}

/** 戻る as a link: opens the previous screen, or the given route if the screen was opened by its URL. */
export const BackLink = createLink(BackAnchor)

/** 戻る with its own handler, for example to ask for confirmation first. */
export function BackButton({ onClick }: { onClick: () => void }) {
  const { t } = useLingui()
  return (
    <button
      type="button"
      className={cx(styles.back, 'ring-in')}
      aria-label={t`戻る`}
      onClickCapture={useOneTap()}
      onClick={onClick}
    >
      <Icon as={ArrowLeft} />
    </button>
  )
}

/** Focuses the heading after a navigation, for screen readers and Tab, unless another element has the focus. */
function useFocusOnArrival(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  const router = useRouter({ warn: false })
  const pane = usePane()
  useEffect(() => {
    const hasNavigated = (router?.history.location.state.__TSR_index ?? 0) > 0
    if (hasNavigated && pane !== 'list' && document.activeElement === document.body)
      heading.current?.focus({ preventScroll: true })
  }, [router, pane])
  return heading
}
