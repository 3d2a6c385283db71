import { useLingui } from '@lingui/react/macro'
import { useToday } from '#data/use-now.ts'
import type { ReportedVisit } from '#data/visits.ts'
import { timeOn } from '#lib/tokyo-time.ts'
import { Brief, BriefItem } from '#ui/brief.tsx'

/** The requests that one report is registered for. */
export function OtherRequests({ all }: { all: readonly ReportedVisit[] }) {
  const { t } = useLingui()
  const today = useToday()
  const count = all.length
  return (
    <section aria-label={t`まとめて登録する依頼`}>
      <p className="strong">{t`${count}件の依頼をまとめて登録します`}</p>
      <Brief>
        {all.map(({ record, report, visit }) => {
          const entered = timeOn(report.inTime, report.workingDate, today)
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
