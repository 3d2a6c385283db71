import { useLingui } from '@lingui/react/macro'
import { PitDepth, PitTraffic } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { Brief, BriefItem } from '#ui/brief.tsx'
import { Sheet } from '#ui/sheet.tsx'

interface UnderPitSheetProps {
  request: RequestRecord
  onClose: () => void
}

/** The popup 地下ピット: the survey. Codes whose labels nobody has shown are shown as they are (spec 3). */
export function UnderPitSheet({ request, onClose }: UnderPitSheetProps) {
  const { t } = useLingui()
  const surveys = request.detail?.underPitSurvey
  return (
    <Sheet heading={t`地下ピット`} onClose={onClose}>
      {!surveys && <p>{t`詳細はまだ端末に保存されていません`}</p>}
      {surveys?.length === 0 && <p>{t`調査結果はありません`}</p>}
      {surveys?.map((pit, index) => (
        <Brief key={`${pit.site} ${index}`}>
          <BriefItem label={t`場所`}>{pit.site ?? t`なし`}</BriefItem>
          <BriefItem label={t`深さ`}>{pit.depth === null ? t`なし` : PitDepth.label(pit.depth)}</BriefItem>
          <BriefItem label={t`人や車の通行`}>
            {pit.traffic === null ? t`なし` : PitTraffic.label(pit.traffic)}
          </BriefItem>
          <BriefItem label={t`ハッチ・マンホール`}>{pit.hatch ?? t`なし`}</BriefItem>
          <BriefItem label={t`脚立`}>{pit.stepladder ?? t`なし`}</BriefItem>
          <BriefItem label={t`監視人`}>{pit.observer ?? t`なし`}</BriefItem>
          <BriefItem label={t`誘導員`}>{pit.guide ?? t`なし`}</BriefItem>
        </Brief>
      ))}
    </Sheet>
  )
}
