import { type ReactNode, useDeferredValue, useSyncExternalStore } from 'react'
import { PaneContext } from './pane.ts'
import { SkipLink } from './skip-link.tsx'
import styles from './desk.module.css'

interface DeskProps {
  rail: ReactNode
  list: ReactNode
  /** Accessible name of the list region. Example: 依頼検索. */
  listLabel: string
  children: ReactNode
}

/**
 * From 900 px: navigation rail, list and view side by side, each with its own scrolling. Below 900 px: only the view.
 * The view stays mounted when the width changes, so rotating a tablet loses no input.
 */
export function Desk({ rail, list, listLabel, children }: DeskProps) {
  const wide = useWide()
  return (
    <div className={styles.desk}>
      {wide && <SkipLink />}
      {wide && rail}
      {wide && (
        <PaneContext value="list">
          <section className={styles.list} aria-label={listLabel}>
            {list}
          </section>
        </PaneContext>
      )}
      <PaneContext value={wide ? 'view' : null}>
        <div className={styles.view}>{children}</div>
      </PaneContext>
    </div>
  )
}

/** Two columns of a view from 1200 px; one column below. Takes two children. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={styles.columns}>{children}</div>
}

/** The second child of Columns. React renders the content at low priority, after painting the first child. */
export function Later({ children }: { children: ReactNode }) {
  const isDue = useDeferredValue(true, false)
  return <div>{isDue && children}</div>
}

/** The rows of a single-column view (設定): full-width on phones, cards of at most 672 px in the wide layout. */
export function Narrow({ children }: { children: ReactNode }) {
  return <div className={styles.narrow}>{children}</div>
}

const WIDE = '(min-width: 900px)'

/** True from 900 CSS px, where rail, list and view are side by side. */
function useWide(): boolean {
  return useSyncExternalStore(followWide, isWide, () => false)
}

function followWide(onChange: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

function isWide(): boolean {
  return matchMedia(WIDE).matches
}
