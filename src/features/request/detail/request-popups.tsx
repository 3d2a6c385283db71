import { useLingui } from '@lingui/react/macro'
import { PitDepth, PitTraffic } from '#schemas/codes.ts'
import { pitLabel, type PitField } from '#schemas/device/runtime-config.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { useServices } from '#data/context/app-context.tsx'
import { useDetailAbsence } from '#data/context/use-fetched-record.ts'
import { shownLabel } from '#lib/language.ts'
import { ListLoadLine } from '#features/request-form/list-load-state.tsx'
import { Brief, BriefItem } from '#ui/request/brief.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import { PhoneLink } from '#ui/request/mini.tsx'

interface RequestPopupProps {
  request: RequestRecord
  onClose: () => void
}

/** The popup 地下ピット with the results of the survey. A code without a label is shown as its number: コード 3 (spec 3). */
export function UnderPitSheet({ request, onClose }: RequestPopupProps) {
  const { t } = useLingui()
  const { codeLabels } = useServices()
  const labelOf = (field: PitField, code: string | null) =>
    code === null ? t`なし` : (pitLabel(codeLabels, field, code) ?? t`コード ${code}`)
  const absence = useDetailAbsence(request)
  const surveys = request.detail?.underPitSurvey
  return (
    <Sheet heading={t`地下ピット`} onClose={onClose}>
      {!surveys && <ListLoadLine loadState={{ state: absence ?? 'reading' }} none={null} />}
      {surveys?.length === 0 && <p>{t`調査結果はありません`}</p>}
      {surveys?.map((pit, index) => (
        <Brief key={`${pit.site} ${index}`}>
          <BriefItem label={t`場所`}>{labelOf('site', pit.site)}</BriefItem>
          <BriefItem label={t`深さ`}>
            {pit.depth === null ? t`なし` : shownLabel(PitDepth.label(pit.depth))}
          </BriefItem>
          <BriefItem label={t`人や車の通行`}>
            {pit.traffic === null ? t`なし` : shownLabel(PitTraffic.label(pit.traffic))}
          </BriefItem>
          <BriefItem label={t`ハッチ・マンホール`}>{labelOf('hatch', pit.hatch)}</BriefItem>
          <BriefItem label={t`脚立`}>{labelOf('stepladder', pit.stepladder)}</BriefItem>
          <BriefItem label={t`監視人`}>{labelOf('observer', pit.observer)}</BriefItem>
          <BriefItem label={t`誘導員`}>{labelOf('guide', pit.guide)}</BriefItem>
        </Brief>
      ))}
    </Sheet>
  )
}

/** The popup 入館連絡先 with all values of the contact. */
export function InContactSheet({ request, onClose }: RequestPopupProps) {
  const { t } = useLingui()
  const contact = request.inLocationContact
  const rows = [
    { label: t`入館連絡先名`, value: contact?.name },
    { label: t`入館連絡先フリガナ`, value: contact?.kana },
    { label: t`部署`, value: contact?.section },
    { label: t`役職`, value: contact?.class },
    { label: t`担当者名`, value: contact?.staffName },
    { label: t`連絡手段`, value: contact?.means },
    { label: t`メールアドレス`, value: contact?.email },
    {
      label: t`電話番号`,
      value: contact?.tel1,
      action: contact?.tel1 && <PhoneLink number={contact.tel1} />,
    },
  ]
  return (
    <Sheet heading={t`入館連絡先`} onClose={onClose}>
      <Brief>
        {rows.map(({ label, value, action }) => (
          <BriefItem key={label} label={label} action={action}>
            {value || t`なし`}
          </BriefItem>
        ))}
      </Brief>
    </Sheet>
  )
}
