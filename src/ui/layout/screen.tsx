import type { ReactNode, RefCallback } from 'react'
import { cx } from '#ui/base/cx.ts'
import { usePane } from './pane.ts'
import { MAIN } from './skip-link.tsx'
import styles from './screen.module.css'

interface ScreenProps {
  header?: ReactNode
  board?: ReactNode
  /** A FlashList. It floats over the content, above the footer, and takes no space. */
  flashes?: ReactNode
  /** An ActionBar, Tabs, or both in this order. */
  footer?: ReactNode
  /** Centres the content vertically, for a screen with only an Empty. */
  center?: boolean | undefined
  /** Receives the scrolling element of a pane. On phones the page itself scrolls. */
  mainRef?: RefCallback<HTMLElement> | undefined
  children: ReactNode
}

/**
 * The frame of a screen. On a phone it fills the window. In the wide layout it fills its pane, and only the middle
 * scrolls.
 */
export function Screen({ header, board, flashes, footer, center, mainRef, children }: ScreenProps) {
  const pane = usePane()
  const Main = pane === 'list' ? 'div' : 'main'
  return (
    <div
      data-screen=""
      className={cx(styles.screen, pane && styles.inPane, pane === 'view' && styles.inView)}
    >
      {header}
      {board}
      <Main
        ref={mainRef}
        data-room=""
        id={pane === 'list' ? undefined : MAIN}
        tabIndex={pane === 'list' ? undefined : -1}
        className={cx(styles.main, 'ring-in', center && styles.center)}
      >
        {center ? <div className={styles.middle}>{children}</div> : children}
      </Main>
      <div className={styles.dock}>
        {flashes}
        {footer && <footer className={styles.foot}>{footer}</footer>}
      </div>
    </div>
  )
}
