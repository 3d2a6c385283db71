import { useLingui } from '@lingui/react/macro'
import { RotateCw } from 'lucide-react'
import { SafetyNeedFlag, SafetyType } from '#schemas/codes.ts'
import { messageText } from '#messages/messages.ts'
import { isUnnecessary, type SafetyMeasureView, useSafetyMeasure } from '#data/resources/safety-measures.ts'
import { stampText } from '#lib/time/tokyo-time.ts'
import { shownLabel } from '#lib/language.ts'
import { RecordPhotos } from '#features/photo/record-photos.tsx'
import { EditBar, EditLink, UnsentDef } from '#features/request-form/edit-bar.tsx'
import { RequestFormAbsent, RequestFormFrame } from '#features/request-form/request-form-frame.tsx'
import { Narrow } from '#ui/layout/desk.tsx'
import { ActionBar } from '#ui/controls/action-bar.tsx'
import { BackLink } from '#ui/layout/app-bar.tsx'
import { ButtonLink } from '#ui/controls/button.tsx'
import { Def, Defs } from '#ui/layout/defs.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { SectionHead } from '#ui/layout/section.tsx'
import { CheckList } from '#ui/controls/tick.tsx'
import { checklists, commonChecks } from './checklists.ts'
import { useMeasureVisit } from './use-measure-visit.ts'

/** The screen 安全対策詳細. */
export function SafetyViewScreen({ id }: { id: string }) {
  const { t } = useLingui()
  const measure = useSafetyMeasure(id)
  if (typeof measure === 'string') return <RequestFormAbsent title={t`安全対策詳細`} state={measure} />
  return <MeasureView measure={measure} />
}

function MeasureView({ measure }: { measure: SafetyMeasureView }) {
  const { t } = useLingui()
  const visit = useMeasureVisit(measure)
  if (visit === undefined) return <RequestFormAbsent title={t`安全対策詳細`} state="loading" />
  const { requestId, workingDate } = measure
  const type = visit?.request.workingDateType
  return (
    <RequestFormFrame
      title={t`安全対策詳細`}
      back={
        <BackLink
          to="/safetyMeasure/select/$requestId"
          params={{ requestId }}
          search={{ workingDateType: type ?? '', workingDate }}
        />
      }
      request={visit?.request ?? null}
      footer={<ViewBar measure={measure} />}
    >
      <Narrow>
        <MeasureRows measure={measure} />
        {!isUnnecessary(measure) && (
          <>
            <Checks safetyType={measure.safetyType} />
            <SectionHead>{t`安全対策写真`}</SectionHead>
            <Pad>
              <RecordPhotos
                resource="safetyMeasures"
                recordKey={measure.key}
                requestId={requestId}
                isThere={measure.state === null}
                empty={<p>{t`写真はありません`}</p>}
              />
            </Pad>
          </>
        )}
      </Narrow>
    </RequestFormFrame>
  )
}

function MeasureRows({ measure }: { measure: SafetyMeasureView }) {
  const { t } = useLingui()
  const { typeName, need, createdAt, createdBy, unsent } = measure
  return (
    <Defs>
      <Def label={t`安全対策`}>
        <span className="strong">{shownLabel(typeName)}</span>
      </Def>
      <Def label={t`要否`}>{need === null ? t`未登録` : shownLabel(SafetyNeedFlag.label(need))}</Def>
      <Def label={t`登録日時`}>
        <span className="num">{stampText(createdAt) || t`なし`}</span>
      </Def>
      {createdBy !== null && <Def label={t`登録者`}>{createdBy}</Def>}
      <UnsentDef state={unsent} />
    </Defs>
  )
}

/** The checklists with all items ticked, because a measure can only be saved with all ticks. */
function Checks({ safetyType }: Pick<SafetyMeasureView, 'safetyType'>) {
  const { t, i18n } = useLingui()
  if (!SafetyType.has(safetyType)) return null
  return (
    <>
      <SectionHead>{t`確認した内容`}</SectionHead>
      {[...checklists[safetyType], commonChecks].map(({ heading, items }) => (
        <CheckList
          key={heading.id}
          heading={i18n._(heading)}
          items={items.map((item) => i18n._(item))}
          ticks={items.map(() => true)}
        />
      ))}
    </>
  )
}

/** The action bar: 編集, or the reason why the measure cannot be edited. After a failed save it links to 送信状況. */
function ViewBar({ measure }: { measure: SafetyMeasureView }) {
  const { t, i18n } = useLingui()
  const { id, state } = measure
  if (state === 'failed' || state === 'expired')
    return (
      <ActionBar>
        <ButtonLink to="/outbox" variant="primary" wide icon={RotateCw}>{t`送信状況を確認`}</ButtonLink>
      </ActionBar>
    )
  return (
    <EditBar slug="safetyMeasure" locked={isUnnecessary(measure)} why={messageText(i18n, 'notSafetyError')}>
      <EditLink to="/safetyMeasure/$id/edit" params={{ id }} />
    </EditBar>
  )
}
