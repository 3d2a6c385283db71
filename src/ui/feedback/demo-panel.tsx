import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { Icon } from '#ui/base/icon.tsx'
import styles from './demo-panel.module.css'

interface DemoSwitch<Id extends string> {
  id: Id
  /** Examples: 圏外, 遅延, 他社の編集. */
  label: string
  on: boolean
}

interface DemoPanelProps<Id extends string> {
  items: readonly DemoSwitch<Id>[]
  onToggle: (id: Id, on: boolean) => void
  open: boolean
  onOpenChange: (open: boolean) => void
}

/**
 * The switches for the demo's simulated faults. They are not part of the product, so they do not use its components and
 * colours.
 */
export function DemoPanel<Id extends string>({ items, onToggle, open, onOpenChange }: DemoPanelProps<Id>) {
  const { t } = useLingui()
  if (!open)
    return (
      <aside className={styles.demo} aria-label={t`デモの操作`}>
        <button type="button" className={styles.tab} aria-expanded={false} onClick={() => onOpenChange(true)}>
          {t`デモ`}
        </button>
      </aside>
    )
  return (
    <aside className={styles.demo} aria-label={t`デモの操作`}>
      <div className={styles.panel}>
        <div className={styles.head}>
          <span>{t`デモの操作`}</span>
          <button type="button" aria-label={t`デモの操作を閉じる`} onClick={() => onOpenChange(false)}>
            <Icon as={X} />
          </button>
        </div>
        {items.map((item) => (
          <label key={item.id} className={styles.switch}>
            <span>{item.label}</span>
            <input
              type="checkbox"
              role="switch"
              checked={item.on}
              aria-checked={item.on}
              onChange={(event) => onToggle(item.id, event.currentTarget.checked)}
            />
          </label>
        ))}
      </div>
    </aside>
  )
}
