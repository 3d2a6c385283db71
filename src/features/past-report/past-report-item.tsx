import { useLingui } from '@lingui/react/macro'
import type { PastReportRecord } from '#schemas/resources/past-report.ts'
import { pastDayText, timeRange } from '#lib/time/tokyo-time.ts'
import { Brief, BriefItem } from '#ui/request/brief.tsx'
import { Past, PastEmergency } from '#ui/request/past.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { usePopup } from '#ui/popup/use-popup.ts'

/** A past report with date, author, content and emergency items. */
export function PastReportItem({ report }: { report: PastReportRecord }) {
  const { t } = useLingui()
  const { workingDate, reportCatName, requestDetail, specialComment } = report
  const { start, end } = timeRange(report.workingStartTime, report.workingEndTime)
  const items = [
    { label: t`依頼内容`, value: requestDetail ?? '' },
    { label: t`特記事項`, value: specialComment ?? '' },
  ].filter(({ value }) => value !== '')
  return (
    <Past
      date={pastDayText(workingDate)}
      category={reportCatName ?? t`区分なし`}
      time={start || end ? `${start}〜${end}` : undefined}
      company={report.supplierName ?? undefined}
      person={report.supplierStaffName ?? undefined}
      items={items}
    >
      {report.emergencyReports.map((emergency, index) => {
        const name = `emergency-${report.id}-${index + 1}`
        return <EmergencyItem key={name} name={name} emergency={emergency} />
      })}
    </Past>
  )
}

interface EmergencyItemProps {
  /** The popup's name in the URL. */
  name: string
  emergency: PastReportRecord['emergencyReports'][number]
}

/** An emergency item, and the popup 緊急報告詳細 that it opens. */
function EmergencyItem({ name, emergency }: EmergencyItemProps) {
  const { t } = useLingui()
  const { isOpen, open, close } = usePopup(name)
  const rows = [
    { label: t`緊急内容`, value: emergency.emergencyContentsName },
    { label: t`リスク`, value: emergency.riskName },
    { label: t`対応日`, value: emergency.correspondenceDateName },
    { label: t`TTS担当者への連絡`, value: emergency.ttsStaffContactName },
    { label: t`緊急内容詳細`, value: emergency.emergencyContentsDetails },
  ]
  return (
    <>
      <PastEmergency note={emergency.emergencyContentsName ?? t`内容なし`} onClick={open} />
      {isOpen && (
        <Sheet heading={t`緊急報告詳細`} onClose={close}>
          <Brief>
            {rows.map(({ label, value }) => (
              <BriefItem key={label} label={label}>
                {value || t`なし`}
              </BriefItem>
            ))}
          </Brief>
        </Sheet>
      )}
    </>
  )
}
