import { useLingui } from '@lingui/react/macro'
import { Shield, ShieldCheck, ShieldOff } from 'lucide-react'
import { SafetyType } from '#schemas/codes.ts'
import { isRegistered, isUnnecessary, type SafetyRow } from '#data/safety-measures.ts'
import { useToday } from '#data/use-now.ts'
import { shortStampText } from '#lib/time/tokyo-time.ts'
import { StatusButton } from '#ui/controls/links.tsx'
import { useSendStateWords } from '#ui/feedback/send-state.tsx'
import type { Away } from '#data/list-standing.ts'
import { useMissingWords } from '#features/request-form/list-load-state.tsx'

interface TypeRowProps {
  row: SafetyRow
  /** State of the request's details while the device does not have them. */
  away: Away | null
  onOpen: () => void
}

/** A type of safety measure with its status. */
export function TypeRow({ row: { type, named, measure, isUnknown }, away, onOpen }: TypeRowProps) {
  const { t } = useLingui()
  const today = useToday()
  const words = useSendStateWords()
  const unknown = useMissingWords()
  const there = measure && isRegistered(measure) ? measure : null
  const no = there && isUnnecessary(there)
  const notes = [
    named && t`依頼に指示あり`,
    // A non-breaking space between date and time.
    measure && shortStampText(measure.createdAt, today).replace(' ', '\u00A0'),
    measure?.unsent && words[measure.unsent],
  ]
  return (
    <li>
      <StatusButton
        name={there?.typeName ?? SafetyType.label(type)}
        note={notes.filter(Boolean).join('・') || undefined}
        status={isUnknown ? 'unknown' : no ? 'barred' : there ? 'done' : 'todo'}
        word={no ? t`不要` : isUnknown ? unknown[away ?? 'absent'] : undefined}
        lead={no ? ShieldOff : there ? ShieldCheck : Shield}
        onClick={onOpen}
      />
    </li>
  )
}
