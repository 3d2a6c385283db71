import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ClipboardList, CloudUpload, PencilLine, Settings } from 'lucide-react'
import { Icon, cx, ProductMark } from '#ui/base/icon.tsx'
import styles from './main-links.module.css'
import { usePane } from './screen.tsx'
import tabsStyles from './tabs.module.css'
import { ConnectionBadge } from './connection-badge.tsx'
import railStyles from './rail.module.css'

export interface MainLinksProps {
  unsent?: number | undefined
  failed?: boolean | undefined
  drafts?: number | undefined
}

const active = { activeOptions: { includeSearch: false }, className: 'ring-in' }

function MainLinks({ unsent = 0, failed, drafts = 0 }: MainLinksProps) {
  const { t } = useLingui()
  return (
    <>
      <Link to="/request" {...active}>
        <Icon as={ClipboardList} />
        {t`依頼検索`}
      </Link>
      <Link to="/outbox" {...active}>
        <span className={styles.icon} aria-hidden="true">
          <Icon as={CloudUpload} />
          {drafts > 0 && (
            <span className={styles.drafts}>
              <Icon as={PencilLine} />
            </span>
          )}
          {unsent > 0 && <span className={cx(styles.count, failed && styles.failed, 'num')}>{unsent}</span>}
        </span>
        {t`送信状況`}
        {unsent > 0 && <span className="vh">{t`未送信 ${unsent}件`}</span>}
        {drafts > 0 && <span className="vh">{t`入力途中 ${drafts}件`}</span>}
      </Link>
      <Link to="/settings" {...active}>
        <Icon as={Settings} />
        {t`設定`}
      </Link>
    </>
  )
}

/** The bottom tabs for the three top-level screens. The wide layout has Rail instead. */
export function Tabs(props: MainLinksProps) {
  const { t } = useLingui()
  if (usePane()) return null
  return (
    <nav className={tabsStyles.tabs} aria-label={t`メイン`}>
      <MainLinks {...props} />
    </nav>
  )
}

interface RailProps extends MainLinksProps {
  online: boolean
  stalled: boolean
}

/** The navigation of the wide layout: logo, the three top-level screens, and the connection state at the bottom. */
export function Rail({ online, stalled, ...links }: RailProps) {
  const { t } = useLingui()
  return (
    <nav className={railStyles.rail} aria-label={t`メイン`}>
      <span className={railStyles.mark}>
        <ProductMark />
      </span>
      <MainLinks {...links} />
      <div className={railStyles.foot}>
        <ConnectionBadge online={online} stalled={stalled} {...links} upright />
      </div>
    </nav>
  )
}
