import { useLingui } from '@lingui/react/macro'
import { Lock, Pencil, Plus } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { emergencyReport } from '#schemas/resources/emergency-report.ts'
import { fieldText, fieldTexts } from '#data/resources/field-text.ts'
import { type ShownRecord, useRecordList } from '#data/resources/records-of-request.ts'
import { useToday } from '#data/context/use-now.ts'
import { useOffered } from '#data/context/use-offline-policy.ts'
import { useVisitOf, useVisitsOfReports } from '#data/visits/use-visits.ts'
import { RecordPhotos } from '#features/photo/record-photos.tsx'
import { ChangeHistory } from '#features/request-form/change-history.tsx'
import { ListLoadLine, ListLoadScreen } from '#features/request-form/list-load-state.tsx'
import { RequestFormAbsent, RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { monthDayTimeText } from '#lib/time/tokyo-time.ts'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { ButtonLink } from '#ui/controls/button.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { SendStateLine } from '#ui/feedback/send-state.tsx'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { Fact, FactList, Mark } from '#ui/feedback/mark.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { usePopup } from '#ui/popup/use-popup.ts'
import { Entries, Entry } from '#ui/request/entry.tsx'
import styles from '#ui/request/entry.module.css'

type EmergencyReport = ShownRecord<'emergencyReports'>

interface EmergencyListScreenProps {
  requestId: string
  workingDate: string | undefined
}

/** The screen 緊急報告一覧 of a request, newest report first. */
export function EmergencyListScreen({ requestId, workingDate }: EmergencyListScreenProps) {
  const { t } = useLingui()
  const visit = useVisitOf(requestId, workingDate)
  const { records: reports, loadState, retry } = useRecordList('emergencyReports', requestId)
  const offered = useOffered('emergencyReport', 'add')
  if (typeof visit === 'string') return <RequestFormAbsent title={t`緊急報告一覧`} state={visit} />
  const { request } = visit
  const ofRequest = { params: { id: requestId }, search: { workingDate: request.workingDate } }
  return (
    <RequestFormFrame
      title={t`緊急報告一覧`}
      back={<BackLink to="/request/$id" {...ofRequest} />}
      request={request}
      footer={
        <ActionBar>
          <ButtonLink to="/request" search={{}} tall narrow>{t`依頼検索へ戻る`}</ButtonLink>
          {offered && (
            <ButtonLink to="/emergencyReport/add/$id" {...ofRequest} variant="primary" wide icon={Plus}>
              {t`新規登録`}
            </ButtonLink>
          )}
        </ActionBar>
      }
    >
      {reports && reports.length > 0 && (
        <Entries>
          {reports.map((report) => (
            <EmergencyEntry key={report.record.key} report={report} corner={<Corner report={report} />} />
          ))}
        </Entries>
      )}
      <ListLoadScreen
        loadState={loadState}
        onRetry={retry}
        none={
          <Empty
            art="search"
            heading={t`緊急報告はありません`}
            advice={t`緊急のことがあれば、新規登録から報告してください。`}
          />
        }
      />
    </RequestFormFrame>
  )
}

/** The link 編集 of a report; the label 編集できません instead if the CRM has locked the report. */
function Corner({ report: { id, lockedByCrm } }: { report: EmergencyReport }) {
  const { t } = useLingui()
  const offered = useOffered('emergencyReport', 'edit')
  if (lockedByCrm) return <Mark icon={Lock}>{t`編集できません`}</Mark>
  if (!offered) return null
  return <ButtonLink to="/emergencyReport/$id/edit" params={{ id }} icon={Pencil}>{t`編集`}</ButtonLink>
}

/** The popup 緊急報告一覧 over the form 退館報告. It shows the emergency reports of the same request. */
export function EmergencyListPopup({ quickReportId }: { quickReportId: string }) {
  const { isOpen, close } = usePopup('emergencyReports')
  const found = useVisitsOfReports(useMemo(() => [quickReportId], [quickReportId]))
  const requestId = found?.[0]?.report.requestId
  return isOpen && requestId !== undefined ? <ListSheet requestId={requestId} onClose={close} /> : null
}

function ListSheet({ requestId, onClose }: { requestId: string; onClose: () => void }) {
  const { t } = useLingui()
  const { records: reports, loadState } = useRecordList('emergencyReports', requestId)
  return (
    <Sheet heading={t`緊急報告一覧`} onClose={onClose}>
      <Entries>
        {reports?.map((report) => (
          <EmergencyEntry key={report.record.key} report={report} />
        ))}
      </Entries>
      <ListLoadLine loadState={loadState} none={<p>{t`緊急報告はありません`}</p>} />
    </Sheet>
  )
}

function EmergencyEntry({ report, corner }: { report: EmergencyReport; corner?: ReactNode }) {
  const { t } = useLingui()
  const { record, content, createdAt, unsent } = report
  const textOf = (name: keyof typeof content) =>
    fieldText(emergencyReport, name, content[name], record.server)
  const details = [
    { label: t`リスク`, value: textOf('risk') || t`なし` },
    { label: t`対応日`, value: textOf('correspondenceDate') || t`未登録` },
    { label: t`TTS担当者への連絡`, value: textOf('ttsStaffContact') || t`未登録` },
  ]
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
      <dl className={styles.details}>
        {details.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
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
