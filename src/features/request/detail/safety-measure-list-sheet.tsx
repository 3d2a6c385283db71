import { useLingui } from '@lingui/react/macro'
import { Pencil } from 'lucide-react'
import type { RequestRecord } from '#schemas/request.ts'
import { useSafetyRows } from '#data/use-safety-measures.ts'
import { LinkList } from '#ui/controls/links.tsx'
import { PathButton } from '#ui/controls/path-link.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { SafetyItem } from './safety-measure-item.tsx'
import { safetySelectPath, safetyTargets } from './safety-measure-rows.ts'
import type { Away, ListStanding } from '#data/list-standing.ts'
import { useDetailAway } from '#data/use-detail-away.ts'
import { ListLoadLine } from '#features/request-form/list-load-state.tsx'

interface SafetyListSheetProps {
  request: RequestRecord
  onClose: () => void
}

/** The popup 安全対策一覧: the measures of this day with their authors, and a link to register more. */
export function SafetyListSheet({ request, onClose }: SafetyListSheetProps) {
  const { t } = useLingui()
  const found = useSafetyRows(request)
  const rows = safetyTargets(request, found ?? [])
  const away = useDetailAway(request)
  const standing = found ? standingOf(rows.length, away) : ({ state: 'reading' } as const)
  return (
    <Sheet
      heading={t`安全対策一覧`}
      onClose={onClose}
      footer={
        <PathButton path={safetySelectPath(request)} variant="primary" icon={Pencil}>
          {t`安全対策を選択`}
        </PathButton>
      }
    >
      <LinkList>
        {rows.map((row) => (
          <SafetyItem key={row.type} row={row} away={away} withAuthor />
        ))}
      </LinkList>
      <ListLoadLine standing={standing} none={<p>{t`この作業日の安全対策はありません`}</p>} />
    </Sheet>
  )
}

/** The request's details name all measures, so the list is complete if they are known. */
const standingOf = (count: number, away: Away | null): ListStanding =>
  count > 0 ? { state: 'rows', rest: away } : { state: away ?? 'none' }
