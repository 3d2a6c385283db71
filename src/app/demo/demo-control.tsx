import { useLingui } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { useServices } from '#data/context/app-context.tsx'
import { DemoPanel } from '#ui/feedback/demo-panel.tsx'
import type { DemoNetwork } from './demo-network.ts'

const OTHER_COMPANY = 'other-company'

/** The demo's control panel, which lets visitors switch off the signal or make the CRM fail. */
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
  return (
    <DemoPanel
      items={Object.entries(labels).map(([id, label]) => ({ id, label, on: active.has(id) }))}
      onToggle={(id, on) => void toggle(id, on)}
      open={open}
      onOpenChange={setOpen}
    />
  )
}
