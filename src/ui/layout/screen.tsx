import { type ReactNode, type RefCallback, createContext, use } from 'react'
import { cx } from '#ui/base/icon.tsx'
import styles from './screen.module.css'

/** Id of the element with the main content. */
export const MAIN = 'main'
export type Pane = 'list' | 'view'

/** The pane around a component. Desk sets it while the panes are side by side. */
export const PaneContext = createContext<Pane | null>(null)

/** Returns the pane around this component; null if the screen fills the window (phones, login). */
export const usePane = (): Pane | null => use(PaneContext)

interface ScreenProps {
  header?: ReactNode
  board?: ReactNode
  /** A FlashList. It floats over the content, above the footer, and takes no space. */
  flashes?: ReactNode
  footer?: ReactNode
  center?: boolean | undefined
  /** Receives the scrolling element of a pane. On phones the page itself scrolls. */
  mainRef?: RefCallback<HTMLElement> | undefined
  children: ReactNode
}

/** The frame of a screen: the window on a phone, a pane in the wide layout, where only the middle scrolls. */
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
