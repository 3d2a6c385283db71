import { useLingui } from '@lingui/react/macro'
import type { LucideIcon } from 'lucide-react'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { BarredLink } from '#ui/controls/barred-link.tsx'

/** The foot of a screen whose way on needs a signal: it stands there disabled, and says why (spec 1). */
export function ClosedBar({ icon, children }: { icon: LucideIcon; children: string }) {
  const { t } = useLingui()
  const reason = t`オフライン中は登録・編集できません`
  return (
    <ActionBar hint={reason}>
      <BarredLink variant="primary" wide icon={icon} reason={reason}>
        {children}
      </BarredLink>
    </ActionBar>
  )
}
