import { useLingui } from '@lingui/react/macro'
import { SafetyType } from '#schemas/codes.ts'
import { useToday } from '#data/use-now.ts'
import { shortStampText } from '#lib/tokyo-time.ts'
import { PathStatus } from '#ui/path-link.tsx'
import type { SafetyTarget } from './safety-rows.ts'

interface SafetyItemProps {
  row: SafetyTarget
  withAuthor?: boolean
}

/** A safety type of the request: what there is of it, and the way there. */
export function SafetyItem({ row: { type, status, measure, path }, withAuthor }: SafetyItemProps) {
  const { t } = useLingui()
  const today = useToday()
  const words = { waiting: t`待機`, sending: t`送信中`, failed: t`送信失敗`, expired: t`期限切れ` }
  const notes = [
    measure && shortStampText(measure.createdAt, today),
    withAuthor && measure?.createdBy,
    measure?.state && words[measure.state],
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
