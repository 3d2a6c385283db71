/** Parts of detail screens. A disabled button says why it is disabled. */
import { useLingui } from '@lingui/react/macro'
import { createLink } from '@tanstack/react-router'
import { Lock, Pencil, type LucideIcon } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { SendState } from '#schemas/changes/change-queue.ts'
import type { FormSlug } from '#data/changes/offline-policy.ts'
import { useOffered } from '#data/context/use-offline-policy.ts'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { ButtonAnchor, type ButtonAnchorProps, BarredLink } from '#ui/controls/button.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { SendStateBadge } from '#ui/feedback/send-state.tsx'
import { Def } from '#ui/layout/defs.tsx'

interface EditBarProps {
  slug: FormSlug
  locked: boolean
  /** A more precise reason than 編集できません. */
  why?: string | undefined
  children: ReactNode
}

/** The action bar of a detail screen: 編集, or the reason why the record cannot be edited. */
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

export const EditLink = createLink(function EditAnchor(props: ButtonAnchorProps) {
  const { t } = useLingui()
  return (
    <ButtonAnchor {...props} variant="primary" wide icon={Pencil}>
      {t`編集`}
    </ButtonAnchor>
  )
})

/** The action bar of a screen whose action requires a connection: a disabled button with the reason (spec 1). */
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

/** The row 送信状況. Once shown it stays, so that no row below moves. @param state null if everything is sent */
export function UnsentDef({ state }: { state: SendState | null }) {
  const { t } = useLingui()
  const [wasThere, setThere] = useState(state !== null)
  if (state !== null && !wasThere) setThere(true)
  if (state === null && !wasThere) return null
  return (
    <Def label={t`送信状況`}>
      {state === null ? t`未送信の変更はありません` : <SendStateBadge state={state} />}
    </Def>
  )
}
