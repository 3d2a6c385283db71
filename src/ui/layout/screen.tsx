import type { ReactNode, RefCallback } from 'react'
import { cx } from './cx.ts'
import { usePane } from './pane.ts'
import { MAIN } from './skip-link.tsx'
import styles from './screen.module.css'

interface ScreenProps {
  /** AppBar. */
  header?: ReactNode
  /** Board, or BoardWrap with Seg. */
  board?: ReactNode
  /** Flashes: over the end of what is in sight, above the footer. They take no space of the content. */
  flashes?: ReactNode
  /** ActionBar, Tabs, or both in this order. */
  footer?: ReactNode
  /** Puts a lone Empty into the middle of the height. */
  center?: boolean | undefined
  /** The scrolling element of a pane; on phones the page itself scrolls. */
  mainRef?: RefCallback<HTMLElement> | undefined
  children: ReactNode
}

/** A whole screen on a phone; in the wide layout the same parts fill the pane, and only the middle scrolls. */
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
        className={cx(styles.main, center && styles.center)}
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
