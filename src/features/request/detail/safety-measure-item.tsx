import { useLingui } from '@lingui/react/macro'
import { SafetyType } from '#schemas/codes.ts'
import { useToday } from '#data/context/use-now.ts'
import { shortStampText } from '#lib/time/tokyo-time.ts'
import { shownLabel } from '#lib/language.ts'
import { PathStatus } from '#ui/controls/path-row.tsx'
import type { SafetyLink } from './safety-measure-rows.ts'
import { useSendStateWords } from '#ui/feedback/send-state.tsx'
import type { Absence } from '#data/fetch-requests/list-state.ts'
import { useMissingWords } from '#features/request-form/list-load-state.tsx'

interface SafetyItemProps {
  row: SafetyLink
  /** Why the request's details are not on the device; null if they are. */
  absence: Absence | null
  withAuthor?: boolean
}

/** A safety type of the request with its status and a link. */
export function SafetyItem({ row: { type, status, measure, path }, absence, withAuthor }: SafetyItemProps) {
  const { t } = useLingui()
  const today = useToday()
  const words = useSendStateWords()
  const unknown = useMissingWords()
  const word = {
    unnecessary: t`不要`,
    unknown: unknown[absence ?? 'absent'],
    todo: undefined,
    done: undefined,
  }
  const notes = [
    measure && shortStampText(measure.createdAt, today),
    withAuthor && measure?.createdBy,
    measure?.unsent && words[measure.unsent],
  ]
  return (
    <li>
      <PathStatus
        path={path}
        name={shownLabel(measure?.typeName ?? SafetyType.label(type))}
        note={notes.filter(Boolean).join('・') || undefined}
        status={status === 'unnecessary' ? 'barred' : status}
        word={word[status]}
      />
    </li>
  )
}
