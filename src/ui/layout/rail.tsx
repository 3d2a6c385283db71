import { useLingui } from '@lingui/react/macro'
import { ConnectionBadge } from './connection-badge.tsx'
import { MainLinks, type MainLinksProps } from './main-links.tsx'
import { ProductMark } from '#ui/base/product-mark.tsx'
import styles from './rail.module.css'

interface RailProps extends MainLinksProps {
  online: boolean
  /** True if the device is online but sending makes no progress. */
  stalled: boolean
}

/** The navigation of the wide layout: logo, the three top-level screens, and the connection state at the bottom. */
export function Rail({ online, stalled, ...links }: RailProps) {
  const { t } = useLingui()
  return (
    <nav className={styles.rail} aria-label={t`メイン`}>
      <span className={styles.mark}>
        <ProductMark />
      </span>
      <MainLinks {...links} />
      <div className={styles.foot}>
        <ConnectionBadge online={online} stalled={stalled} {...links} upright />
      </div>
    </nav>
  )
}
