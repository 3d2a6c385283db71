import { useLingui } from '@lingui/react/macro'
import { Shield, ShieldCheck, ShieldOff } from 'lucide-react'
import { SafetyType } from '#schemas/codes.ts'
import { isRegistered, isUnnecessary, type SafetyRow } from '#data/safety-measures.ts'
import { shortStampText } from '#lib/tokyo-time.ts'
import { StatusButton } from '#ui/links.tsx'
import { useSendStateWords } from '#ui/send-state.tsx'

/** A type of safety measure, and what there is of it. */
export function TypeRow({ row: { type, named, measure }, onOpen }: { row: SafetyRow; onOpen: () => void }) {
  const { t } = useLingui()
  const words = useSendStateWords()
  const there = measure && isRegistered(measure) ? measure : null
  const no = there && isUnnecessary(there)
  const notes = [
    named && t`依頼に指示あり`,
    measure && shortStampText(measure.createdAt),
    measure?.unsent && words[measure.unsent],
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
