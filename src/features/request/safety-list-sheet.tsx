import { useLingui } from '@lingui/react/macro'
import { Pencil } from 'lucide-react'
import { SafetyNeedFlag, SafetyType } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/request.ts'
import type { SafetyMeasureView } from '#data/safety-measures.ts'
import { useSafetyRows } from '#data/use-safety-measures.ts'
import { stampText } from '#lib/tokyo-time.ts'
import { Brief, BriefItem } from '#ui/brief.tsx'
import { PathButton } from '#ui/path-link.tsx'
import { SendState } from '#ui/send-state.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { safetySelectPath } from './safety-rows.ts'

interface SafetyListSheetProps {
  request: RequestRecord
  onClose: () => void
}

/** The popup 安全対策一覧: what there is for this day, and the way to register more. */
export function SafetyListSheet({ request, onClose }: SafetyListSheetProps) {
  const { t } = useLingui()
  const measures = useSafetyRows(request)?.flatMap(({ measure }) => measure ?? [])
  return (
    <Sheet
      heading={t`安全対策一覧`}
      onClose={onClose}
      footer={
        <PathButton path={safetySelectPath(request)} variant="primary" icon={Pencil}>
          {t`安全対策を登録`}
        </PathButton>
      }
    >
      {measures?.length === 0 && <p>{t`この作業日の安全対策はまだ登録されていません`}</p>}
      {measures?.map((measure) => (
        <Measure key={measure.key} measure={measure} />
      ))}
    </Sheet>
  )
}

function Measure({
  measure: { id, safetyType, need, createdAt, createdBy, state },
}: {
  measure: SafetyMeasureView
}) {
  const { t } = useLingui()
  const name = SafetyType.label(safetyType)
  return (
    <section aria-label={name}>
      <Brief>
        <BriefItem label={t`安全対策`}>{name}</BriefItem>
        <BriefItem label={t`要否`}>{need === null ? t`未登録` : SafetyNeedFlag.label(need)}</BriefItem>
        {createdAt !== null && <BriefItem label={t`登録日時`}>{stampText(createdAt)}</BriefItem>}
        {createdBy !== null && <BriefItem label={t`登録者`}>{createdBy}</BriefItem>}
        {state && (
          <BriefItem label={t`送信状況`}>
            <SendState state={state} />
          </BriefItem>
        )}
      </Brief>
      <PathButton path={`/safetyMeasure/${encodeURIComponent(id)}`} wide>{t`${name}の詳細を開く`}</PathButton>
    </section>
  )
}
