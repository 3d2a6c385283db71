import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useServices } from '#data/context/app-context.tsx'
import { Icon } from '#ui/base/icon.tsx'
import type { DemoNetwork } from './demo-network.ts'
import styles from './demo-panel.module.css'

const OTHER_COMPANY = 'other-company'

/** The demo's control panel. It is not part of the product, so it does not use the product's components. */
export function DemoControl({ network }: { network: Promise<DemoNetwork> }) {
  const { t } = useLingui()
  const { flash } = useServices()
  const [open, setOpen] = useState(false)
  const [active, setActive] = useState<ReadonlySet<string>>(new Set())

  useEffect(() => {
    void network.then(async (demo) => {
      const stored = await demo.active()
      setActive((pressed) => new Set([...stored, ...pressed]))
    })
  }, [network])

  const toggle = async (id: string, on: boolean) => {
    setActive((current) => new Set(on ? [...current, id] : [...current].filter((other) => other !== id)))
    const demo = await network
    if (id !== OTHER_COMPANY) return demo.set(id, on)
    flash.show('info', t`他社の編集：${await demo.crm.actAsOtherCompany()}`)
    setActive((current) => new Set([...current].filter((other) => other !== OTHER_COMPANY)))
  }
  const labels: Record<string, string> = {
    'no-signal': t`圏外`,
    slow: t`遅延`,
    'no-answer': t`応答なし`,
    'status-500': t`500`,
    [OTHER_COMPANY]: t`他社の編集`,
  }
  const name = t`デモの操作`
  return (
    <aside className={styles.demo} aria-label={name}>
      {open ? (
        <div className={styles.panel}>
          <div className={styles.head}>
            <span>{name}</span>
            <button type="button" aria-label={t`デモの操作を閉じる`} onClick={() => setOpen(false)}>
              <Icon as={X} />
            </button>
          </div>
          {Object.entries(labels).map(([id, label]) => (
            <label key={id} className={styles.switch}>
              <span>{label}</span>
              <input
                type="checkbox"
                role="switch"
                checked={active.has(id)}
                aria-checked={active.has(id)}
                onChange={(event) => void toggle(id, event.currentTarget.checked)}
              />
            </label>
          ))}
        </div>
      ) : (
        <button type="button" className={styles.tab} aria-expanded={false} onClick={() => setOpen(true)}>
          {t`デモ`}
        </button>
      )}
    </aside>
  )
}
