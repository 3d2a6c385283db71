import { type ReactNode, useDeferredValue, useSyncExternalStore } from 'react'
import { MAIN, PaneContext } from './screen.tsx'
import { wrapper } from '#ui/base/icon.tsx'
import styles from './desk.module.css'
import { useLingui } from '@lingui/react/macro'
import skipLinkStyles from './skip-link.module.css'

interface DeskProps {
  rail: ReactNode
  list: ReactNode
  listLabel: string
  children: ReactNode
}

/** From 900 px: rail, list and view side by side. The view stays mounted, so rotating a tablet loses no input. */
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
export const Columns = wrapper('div', styles.columns)

/** The second child of Columns. React renders the content at low priority, after painting the first child. */
export const Later = ({ children }: { children: ReactNode }) => (
  <div>{useDeferredValue(true, false) && children}</div>
)

/** The rows of a single-column view (設定): full-width on phones, cards of at most 672 px in the wide layout. */
export const Narrow = wrapper('div', styles.narrow)
const WIDE = '(min-width: 900px)'

const useWide = (): boolean => useSyncExternalStore(followWide, isWide, () => false)

function followWide(onChange: () => void): () => void {
  const query = matchMedia(WIDE)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

const isWide = (): boolean => matchMedia(WIDE).matches

/** The link 本文へ移動: the first tab stop, visible only while focused, past navigation and list. */
function SkipLink() {
  const { t } = useLingui()
  return (
    <a
      className={skipLinkStyles.skip}
      href={`#${MAIN}`}
      onClick={(event) => {
        event.preventDefault()
        document.getElementById(MAIN)?.focus()
      }}
    >
      {t`本文へ移動`}
    </a>
  )
}
