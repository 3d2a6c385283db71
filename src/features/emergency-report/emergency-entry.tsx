import { useLingui } from '@lingui/react/macro'
import type { ReactNode } from 'react'
import { emergencyReport } from '#schemas/resources/emergency-report.ts'
import { fieldText, fieldTexts } from '#data/resources/field-text.ts'
import type { ShownRecord } from '#data/resources/records-of-request.ts'
import { useToday } from '#data/context/use-now.ts'
import { RecordPhotos } from '#features/photo/record-photos.tsx'
import { monthDayTimeText } from '#lib/time/tokyo-time.ts'
import { Entry, EntryDetails } from '#ui/request/entry.tsx'
import { Fact, FactList } from '#ui/feedback/mark.tsx'
import { SendStateLine } from '#ui/feedback/send-state.tsx'
import { ChangeHistory } from '#features/request-form/change-history.tsx'

type EmergencyReport = ShownRecord<'emergencyReports'>

/** The card of an 緊急報告 with its photos and 変更の記録. */
export function EmergencyEntry({ report, corner }: { report: EmergencyReport; corner?: ReactNode }) {
  const { t } = useLingui()
  const { record, content, createdAt, unsent } = report
  const textOf = (name: keyof typeof content) =>
    fieldText(emergencyReport, name, content[name], record.server)
  return (
    <Entry
      when={monthDayTimeText(createdAt, useToday()) || t`登録日時不明`}
      corner={corner}
      text={content.emergencyContentsDetails ?? ''}
      facts={
        <>
          <SendStateLine state={unsent} />
          <FactList>
            {fieldTexts(emergencyReport, 'emergencyContents', content.emergencyContents, record.server).map(
              (text) => (
                <Fact key={text}>{text}</Fact>
              ),
            )}
          </FactList>
        </>
      }
    >
      <EntryDetails
        items={[
          { label: t`リスク`, value: textOf('risk') || t`なし` },
          { label: t`対応日`, value: textOf('correspondenceDate') || t`未登録` },
          { label: t`TTS担当者への連絡`, value: textOf('ttsStaffContact') || t`未登録` },
        ]}
      />
      <RecordPhotos
        resource="emergencyReports"
        recordKey={record.key}
        requestId={record.requestId}
        isThere={record.serverId !== ''}
      />
      <EmergencyHistory report={report} />
    </Entry>
  )
}

function EmergencyHistory({ report: { record, id, content, lockedByCrm } }: { report: EmergencyReport }) {
  const { t } = useLingui()
  return (
    <ChangeHistory
      declaration={emergencyReport}
      record={record}
      now={content}
      labels={{
        emergencyContents: t`緊急内容`,
        risk: t`リスク`,
        correspondenceDate: t`対応日`,
        ttsStaffContact: t`TTS担当者への連絡`,
        emergencyContentsDetails: t`緊急内容詳細`,
      }}
      editPath={lockedByCrm ? null : `/emergencyReport/${encodeURIComponent(id)}/edit`}
    />
  )
}
