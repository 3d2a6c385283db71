import { useLingui } from '@lingui/react/macro'
import { Shield, ShieldCheck, ShieldOff } from 'lucide-react'
import { SafetyType } from '#schemas/codes.ts'
import { isRegistered, isUnnecessary, type SafetyMeasureView, type SafetyRow } from '#data/safety-measures.ts'
import { useToday } from '#data/use-now.ts'
import { shortStampText } from '#lib/tokyo-time.ts'
import { StatusButton } from '#ui/links.tsx'

/** A type of safety measure, and what there is of it. */
export function TypeRow({ row: { type, named, measure }, onOpen }: { row: SafetyRow; onOpen: () => void }) {
  const { t } = useLingui()
  const today = useToday()
  const words = useStateWords()
  const there = measure && isRegistered(measure) ? measure : null
  const no = there && isUnnecessary(there)
  const notes = [
    named && t`依頼に指示あり`,
    measure && shortStampText(measure.createdAt, today),
    measure?.state && words[measure.state],
  ]
  return (
    <li>
      <StatusButton
        name={SafetyType.label(type)}
        note={notes.filter(Boolean).join('・') || undefined}
        status={no ? 'barred' : there ? 'done' : 'todo'}
        word={no ? t`不要` : undefined}
        lead={no ? ShieldOff : there ? ShieldCheck : Shield}
        onClick={onOpen}
      />
    </li>
  )
}

function useStateWords(): Record<NonNullable<SafetyMeasureView['state']>, string> {
  const { t } = useLingui()
  return { waiting: t`待機`, sending: t`送信中`, failed: t`送信失敗`, expired: t`期限切れ` }
}
