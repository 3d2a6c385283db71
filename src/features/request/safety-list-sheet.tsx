import { useLingui } from '@lingui/react/macro'
import { Pencil } from 'lucide-react'
import type { RequestRecord } from '#schemas/request.ts'
import { useSafetyRows } from '#data/use-safety-measures.ts'
import { LinkList } from '#ui/links.tsx'
import { PathButton } from '#ui/path-link.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { SafetyItem } from './safety-item.tsx'
import { safetySelectPath, safetyTargets } from './safety-rows.ts'

interface SafetyListSheetProps {
  request: RequestRecord
  onClose: () => void
}

/** The popup 安全対策一覧: what there is for this day with who made it, and the way to register more. */
export function SafetyListSheet({ request, onClose }: SafetyListSheetProps) {
  const { t } = useLingui()
  const rows = safetyTargets(request, useSafetyRows(request) ?? [])
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
      {rows.length === 0 && <p>{t`この作業日の安全対策はありません`}</p>}
      <LinkList>
        {rows.map((row) => (
          <SafetyItem key={row.type} row={row} withAuthor />
        ))}
      </LinkList>
    </Sheet>
  )
}
