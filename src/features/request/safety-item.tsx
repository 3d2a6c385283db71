import { useLingui } from '@lingui/react/macro'
import { SafetyType } from '#schemas/codes.ts'
import { shortStampText } from '#lib/tokyo-time.ts'
import { PathStatus } from '#ui/path-link.tsx'
import type { SafetyTarget } from './safety-rows.ts'
import { useSendStateWords } from '#ui/send-state.tsx'

interface SafetyItemProps {
  row: SafetyTarget
  withAuthor?: boolean
}

/** A safety type of the request: what there is of it, and the way there. */
export function SafetyItem({ row: { type, status, measure, path }, withAuthor }: SafetyItemProps) {
  const { t } = useLingui()
  const words = useSendStateWords()
  const notes = [
    measure && shortStampText(measure.createdAt),
    withAuthor && measure?.createdBy,
    measure?.unsent && words[measure.unsent],
  ]
  return (
    <li>
      <PathStatus
        path={path}
        name={SafetyType.label(type)}
        note={notes.filter(Boolean).join('・') || undefined}
        status={status === 'unnecessary' ? 'barred' : status}
        word={status === 'unnecessary' ? t`不要` : undefined}
      />
    </li>
  )
}
