import { useLingui } from '@lingui/react/macro'
import { CloudOff, Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FormSlug } from '#data/offline-policy.ts'
import { useOffered } from '#data/use-offline-policy.ts'
import { ActionBar } from '#ui/action-bar.tsx'
import { Mark } from '#ui/mark.tsx'

interface EditBarProps {
  slug: FormSlug
  /** It cannot be edited any more. */
  taken: boolean
  /** Why not, where there is more to say. */
  why?: string | undefined
  /** The link 編集. */
  children: ReactNode
}

/** The foot of a record's view: 編集, or why not. */
export function EditBar({ slug, taken, why, children }: EditBarProps) {
  const { t } = useLingui()
  const offered = useOffered(slug, 'edit')
  if (offered && !taken) return <ActionBar>{children}</ActionBar>
  return (
    <ActionBar>
      <Mark icon={taken ? Lock : CloudOff}>
        {taken ? t`編集できません` : t`オフライン中は登録・編集できません`}
      </Mark>
      {taken && why && <span>{why}</span>}
    </ActionBar>
  )
}
