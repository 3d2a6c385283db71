import { type ReactNode, useDeferredValue, useSyncExternalStore } from 'react'
import { type Pane, PaneContext } from './pane.ts'
import { SkipLink } from './skip-link.tsx'
import styles from './desk.module.css'

interface DeskProps {
  rail: ReactNode
  list: ReactNode
  /** Names the list's region: 依頼検索. */
  listLabel: string
  /** Which pane a phone shows. */
  pane: Pane
  /** The view. */
  children: ReactNode
}

/**
 * From 900 px: rail | list | view, each pane scrolling by itself. Below: the list or the view alone, a screen of
 * its own. The view keeps its place in the tree, so turning a tablet loses no input.
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

/** The two columns of a view from 1200 px; one below another under that. Two children. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={styles.columns}>{children}</div>
}

/** A column of what is below the first screen: it is drawn once what stands above it is on the glass, in slices. */
export function Later({ children }: { children: ReactNode }) {
  const isDue = useDeferredValue(true, false)
  return <div>{isDue && children}</div>
}

/** Rows of a view that needs one column (設定): full-bleed on phones, cards of at most 672 px in the wide layout. */
export function Narrow({ children }: { children: ReactNode }) {
  return <div className={styles.narrow}>{children}</div>
}

const WIDE = '(min-width: 900px)'

/** True from 900 CSS px, where rail, list and view stand side by side. */
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
