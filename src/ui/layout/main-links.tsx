import { useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { ClipboardList, CloudUpload, PencilLine, Settings } from 'lucide-react'
import { cx } from '#ui/base/cx.ts'
import { Icon } from '#ui/base/icon.tsx'
import styles from './main-links.module.css'

export interface MainLinksProps {
  /** Number of changes that are not in the CRM yet. */
  unsent?: number | undefined
  /** True if an unsent change has failed or expired. The count is then red. */
  failed?: boolean | undefined
  /** Number of forms with unsaved input, which 送信状況 lists. */
  drafts?: number | undefined
}

const active = { activeOptions: { includeSearch: false }, className: 'ring-in' }

/** The links to the three top-level screens, used by Tabs and Rail. */
export function MainLinks({ unsent = 0, failed, drafts = 0 }: MainLinksProps) {
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
