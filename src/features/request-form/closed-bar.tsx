import { useLingui } from '@lingui/react/macro'
import type { LucideIcon } from 'lucide-react'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { BarredLink } from '#ui/controls/barred-link.tsx'

/**
 * The action bar of a screen whose next step needs a connection: the button is disabled and the
 * reason is shown (spec 1).
 */
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
