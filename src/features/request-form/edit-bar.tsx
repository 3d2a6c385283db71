import { useLingui } from '@lingui/react/macro'
import { Lock, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import type { FormSlug } from '#data/changes/offline-policy.ts'
import { useOffered } from '#data/context/use-offline-policy.ts'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { ClosedBar } from './closed-bar.tsx'

interface EditBarProps {
  slug: FormSlug
  /** True if it can no longer be edited. */
  locked: boolean
  /** A more specific reason. */
  why?: string | undefined
  /** The link 編集. */
  children: ReactNode
}

/** The action bar of a record's view: 編集, or why it is not possible. */
export function EditBar({ slug, locked, why, children }: EditBarProps) {
  const { t } = useLingui()
  const offered = useOffered(slug, 'edit')
  if (offered && !locked) return <ActionBar>{children}</ActionBar>
  if (!locked) return <ClosedBar icon={Pencil}>{t`編集`}</ClosedBar>
  return (
    <ActionBar>
      <Mark icon={Lock}>{t`編集できません`}</Mark>
      {why && <span>{why}</span>}
    </ActionBar>
  )
}
