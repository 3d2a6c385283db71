import { useLingui } from '@lingui/react/macro'
import type { ReportedVisit } from '#data/visits.ts'
import { timeText } from '#lib/tokyo-time.ts'
import { Brief, BriefItem } from '#ui/brief.tsx'

/** The requests that one report is registered for. */
export function OtherRequests({ all }: { all: readonly ReportedVisit[] }) {
  const { t } = useLingui()
  const count = all.length
  return (
    <section aria-label={t`まとめて登録する依頼`}>
      <p className="strong">{t`${count}件の依頼をまとめて登録します`}</p>
      <Brief>
        {all.map(({ record, report, visit }) => {
          const entered = timeText(report.inTime)
          return (
            <BriefItem key={record.key} label={visit?.request.requestCode ?? record.requestId}>
              {visit?.request.locationName} <span className="num">{t`入館 ${entered}`}</span>
            </BriefItem>
          )
        })}
      </Brief>
    </section>
  )
}
