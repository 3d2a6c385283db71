import { useLingui } from '@lingui/react/macro'
import { MainLinks, type MainLinksProps } from './main-links.tsx'
import { usePane } from './pane.ts'
import styles from './tabs.module.css'

/** Bottom tabs of the three top screens. Gone in the wide layout, where Rail stands in. */
export function Tabs(props: MainLinksProps) {
  const { t } = useLingui()
  if (usePane()) return null
  return (
    <nav className={styles.tabs} aria-label={t`メイン`}>
      <MainLinks {...props} />
    </nav>
  )
}
