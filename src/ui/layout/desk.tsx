import { type ReactNode, useDeferredValue, useSyncExternalStore } from 'react'
import { type Pane, PaneContext } from './pane.ts'
import { SkipLink } from './skip-link.tsx'
import styles from './desk.module.css'

interface DeskProps {
  rail: ReactNode
  list: ReactNode
  /** Accessible name of the list region. Example: 依頼検索. */
  listLabel: string
  /** The pane that a phone shows. */
  pane: Pane
  /** The content of the view pane. */
  children: ReactNode
}

/**
 * From 900 px: navigation rail, list and view side by side, each scrolling on its own. Below: the list or the view alone.
 * The view stays in the React tree, so rotating a tablet loses no input.
 */
export function Desk({ rail, list, listLabel, pane, children }: DeskProps) {
  const wide = useWide()
  return (
    <div className={styles.desk}>
      {wide && <SkipLink />}
      {wide && rail}
      {(wide || pane === 'list') && (
        <PaneContext value={wide ? 'list' : null}>
          {wide ? (
            <section className={styles.list} aria-label={listLabel}>
              {list}
            </section>
          ) : (
            list
          )}
        </PaneContext>
      )}
      {(wide || pane === 'view') && (
        <PaneContext value={wide ? 'view' : null}>
          <div className={styles.view}>{children}</div>
        </PaneContext>
      )}
    </div>
  )
}

/** The two columns of a view from 1200 px; one column below that. Takes two children. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={styles.columns}>{children}</div>
}

/** A column below the first screen. React renders it at low priority, after the content above is painted. */
export function Later({ children }: { children: ReactNode }) {
  const isDue = useDeferredValue(true, false)
  return <div>{isDue && children}</div>
}

/** Rows of a single-column view (設定): full-width on phones, cards of at most 672 px in the wide layout. */
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
