import { useLingui } from '@lingui/react/macro'
import { ListChecks } from 'lucide-react'
import { SafetyStatus } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { safetyNames } from '#data/request-facts.ts'
import { useSafetyRows } from '#data/use-safety-measures.ts'
import { Button } from '#ui/controls/button.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { Popup } from '#ui/popup/popup.tsx'
import { LinkList } from '#ui/controls/links.tsx'
import { SectionHead } from '#ui/layout/section.tsx'
import { useOpenPopup } from '#ui/popup/use-popup.ts'
import { SafetyItem } from './safety-measure-item.tsx'
import { SafetyListSheet } from './safety-measure-list-sheet.tsx'
import { safetyTargets } from './safety-measure-rows.ts'
import { useSafetyStatus } from './use-safety-measure-status.ts'
import { useDetailAway } from '#data/use-detail-away.ts'
import { useMissingTexts } from '#features/request-form/list-load-state.tsx'

/** 安全対策: the types that the request names, whether each is registered for this day, and the popup 安全対策一覧. */
export function SafetySection({ request }: { request: RequestRecord }) {
  const { t } = useLingui()
  const openList = useOpenPopup('safety')
  const { status } = useSafetyStatus(request)
  const rows = safetyTargets(request, useSafetyRows(request) ?? [])
  const away = useDetailAway(request)
  const texts = useMissingTexts()
  return (
    <>
      <SectionHead
        right={status === null ? undefined : SafetyStatus.label(status)}
      >{t`安全対策`}</SectionHead>
      {rows.length === 0 && <Pad>{safetyNames(request).join('；') || (away ? texts[away] : t`なし`)}</Pad>}
      <LinkList>
        {rows.map((row) => (
          <SafetyItem key={row.type} row={row} away={away} />
        ))}
      </LinkList>
      <Pad>
        <Button icon={ListChecks} aria-haspopup="dialog" onClick={openList}>{t`安全対策一覧`}</Button>
      </Pad>
      <Popup name="safety">{(close) => <SafetyListSheet request={request} onClose={close} />}</Popup>
    </>
  )
}
