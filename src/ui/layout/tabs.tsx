import { useLingui } from '@lingui/react/macro'
import { MainLinks, type MainLinksProps } from './main-links.tsx'
import { usePane } from './pane.ts'
import styles from './tabs.module.css'

/** The bottom tabs for the three top-level screens. The wide layout has Rail instead. */
export function Tabs(props: MainLinksProps) {
  const { t } = useLingui()
  if (usePane()) return null
  return (
    <nav className={styles.tabs} aria-label={t`メイン`}>
      <MainLinks {...props} />
    </nav>
  )
}
