import { useLingui } from '@lingui/react/macro'
import { Lock, Pencil, Plus } from 'lucide-react'
import { type ShownRecord, useRecordList } from '#data/resources/records-of-request.ts'
import { useOffered } from '#data/context/use-offline-policy.ts'
import { useVisitOf } from '#data/visits/use-visits.ts'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { ButtonLink } from '#ui/controls/button.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Entries } from '#ui/request/entry.tsx'
import { Mark } from '#ui/feedback/mark.tsx'
import { EmergencyEntry } from './emergency-entry.tsx'
import { RequestFormAbsent, RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { ListLoadScreen } from '#features/request-form/list-load-state.tsx'

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
  return (
    <RequestFormFrame
      title={t`緊急報告一覧`}
      back={
        <BackLink
          to="/request/$id"
          params={{ id: requestId }}
          search={{ workingDate: request.workingDate }}
        />
      }
      request={request}
      footer={
        <ActionBar>
          <ButtonLink to="/request" search={{}} tall narrow>{t`依頼検索へ戻る`}</ButtonLink>
          {offered && (
            <ButtonLink
              to="/emergencyReport/add/$id"
              params={{ id: requestId }}
              search={{ workingDate: request.workingDate }}
              variant="primary"
              wide
              icon={Plus}
            >
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
function Corner({ report: { id, lockedByCrm } }: { report: ShownRecord<'emergencyReports'> }) {
  const { t } = useLingui()
  const offered = useOffered('emergencyReport', 'edit')
  if (lockedByCrm) return <Mark icon={Lock}>{t`編集できません`}</Mark>
  if (!offered) return null
  return <ButtonLink to="/emergencyReport/$id/edit" params={{ id }} icon={Pencil}>{t`編集`}</ButtonLink>
}
