import { useLingui } from '@lingui/react/macro'
import { ListChecks, Pencil } from 'lucide-react'
import { SafetyStatus } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { safetyNames } from '#data/visits/request-facts.ts'
import { useSafetyRows } from '#data/resources/safety-measures.ts'
import { Button } from '#ui/controls/button.tsx'
import { Pad } from '#ui/layout/layout.tsx'
import { Popup } from '#ui/popup/popup.tsx'
import { LinkList } from '#ui/controls/links.tsx'
import { SectionHead } from '#ui/layout/section.tsx'
import { useOpenPopup } from '#ui/popup/use-popup.ts'
import { useDetailAbsence } from '#data/context/use-fetched-record.ts'
import { ListLoadLine, useMissingTexts } from '#features/request-form/list-load-state.tsx'
import { PathButton } from '#ui/controls/path-link.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import type { Absence, ListState } from '#data/fetch-requests/list-state.ts'
import { shownLabel } from '#lib/language.ts'
import { MeasuredRow } from '#features/sheet/measured-row.tsx'
import { SafetyItem } from './safety-measure-item.tsx'
import { gasSheetPath, safetySelectPath, safetyLinks } from './safety-measure-rows.ts'
import { useSafetyStatus } from './use-safety-measure-status.ts'

/** 安全対策: the types that the request names, whether each is registered for this day, and the popup 安全対策一覧. */
export function SafetySection({ request }: { request: RequestRecord }) {
  const { t } = useLingui()
  const openList = useOpenPopup('safety')
  const { status } = useSafetyStatus(request)
  const found = useSafetyRows(request)
  const rows = safetyLinks(request, found ?? [])
  const absence = useDetailAbsence(request)
  const texts = useMissingTexts()
  return (
    <>
      <SectionHead
        right={status === null ? undefined : shownLabel(SafetyStatus.label(status))}
      >{t`安全対策`}</SectionHead>
      {rows.length === 0 && (
        <Pad>{safetyNames(request).map(shownLabel).join('；') || (absence ? texts[absence] : t`なし`)}</Pad>
      )}
      <LinkList>
        {rows.map((row) => (
          <SafetyItem key={row.type} row={row} absence={absence} />
        ))}
        {found && <MeasuredRow request={request} path={gasSheetPath(request, found)} />}
      </LinkList>
      <Pad>
        <Button icon={ListChecks} aria-haspopup="dialog" onClick={openList}>{t`安全対策一覧`}</Button>
      </Pad>
      <Popup name="safety">{(close) => <SafetyListSheet request={request} onClose={close} />}</Popup>
    </>
  )
}

interface SafetyListSheetProps {
  request: RequestRecord
  onClose: () => void
}

/** The popup 安全対策一覧: the measures of this day with their authors, and a link to register more. */
function SafetyListSheet({ request, onClose }: SafetyListSheetProps) {
  const { t } = useLingui()
  const found = useSafetyRows(request)
  const rows = safetyLinks(request, found ?? [])
  const absence = useDetailAbsence(request)
  const loadState = found ? loadStateOf(rows.length, absence) : ({ state: 'reading' } as const)
  return (
    <Sheet
      heading={t`安全対策一覧`}
      onClose={onClose}
      footer={
        <PathButton path={safetySelectPath(request)} variant="primary" icon={Pencil}>
          {t`安全対策を選択`}
        </PathButton>
      }
    >
      <LinkList>
        {rows.map((row) => (
          <SafetyItem key={row.type} row={row} absence={absence} withAuthor />
        ))}
      </LinkList>
      <ListLoadLine loadState={loadState} none={<p>{t`この作業日の安全対策はありません`}</p>} />
    </Sheet>
  )
}

/** The request's details name all measures, so the list is complete if they are known. */
const loadStateOf = (count: number, absence: Absence | null): ListState =>
  count > 0 ? { state: 'rows', rest: absence } : { state: absence ?? 'none' }
