import { useLingui } from '@lingui/react/macro'
import { Siren } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#ui/base/cx.ts'
import { Icon } from '#ui/base/icon.tsx'
import styles from './tag.module.css'

export type OrderFlagTone = 'repair' | 'replace' | 'build' | 'survey' | 'maint'

/** 種別 of a request (修理 取替 工事 調査 保守). Not tappable. */
export function OrderFlagTag({ tone, children }: { tone: OrderFlagTone; children: ReactNode }) {
  return <span className={cx(styles.tag, styles[tone])}>{children}</span>
}

/** 緊出, the only badge with a solid background. */
export function EmergencyTag() {
  const { t } = useLingui()
  return (
    <span className={cx(styles.tag, styles.emergency)}>
      <Icon as={Siren} />
      {t`緊出`}
    </span>
  )
}
