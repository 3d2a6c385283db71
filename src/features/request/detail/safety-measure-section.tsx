import { useLingui } from '@lingui/react/macro'
import { ListChecks, Pencil } from 'lucide-react'
import { SafetyStatus, SafetyType } from '#schemas/codes.ts'
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
import { ListLoadLine, useMissingTexts, useMissingWords } from '#features/request-form/list-load-state.tsx'
import { PathButton } from '#ui/controls/path-link.tsx'
import { Sheet } from '#ui/popup/sheet.tsx'
import type { Absence, ListState } from '#data/fetch-requests/interests.ts'
import { shownLabel } from '#lib/language.ts'
import { MeasuredRow } from '#features/sheet/measured-row.tsx'
import { gasSheetPath, safetySelectPath, safetyLinks, type SafetyLink } from './safety-measure-rows.ts'
import { useSafetyStatus } from './use-safety-measure-status.ts'
import { useToday } from '#data/context/use-now.ts'
import { shortStampText } from '#lib/time/tokyo-time.ts'
import { PathStatus } from '#ui/controls/path-row.tsx'
import { useSendStateWords } from '#ui/feedback/send-state.tsx'

/** The section 安全対策: the types that the request requires, with their status on this day. The popup 安全対策一覧 is part of it. */
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

/** The popup 安全対策一覧: this day's measures with their authors, and a link to 安全対策選択. */
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

/**
 * Returns the load state of the list. The request's details name all measures, so the list is complete once they are
 * read.
 */
const loadStateOf = (count: number, absence: Absence | null): ListState =>
  count > 0 ? { state: 'rows', rest: absence } : { state: absence ?? 'none' }

interface SafetyItemProps {
  row: SafetyLink
  /** Why the request's details are not on the device; null if they are. */
  absence: Absence | null
  /** True if the row names the person who registered the measure. */
  withAuthor?: boolean
}

function SafetyItem({ row: { type, status, measure, path }, absence, withAuthor }: SafetyItemProps) {
  const { t } = useLingui()
  const today = useToday()
  const words = useSendStateWords()
  const unknown = useMissingWords()
  const word = {
    unnecessary: t`不要`,
    unknown: unknown[absence ?? 'absent'],
    todo: undefined,
    done: undefined,
  }
  const notes = [
    measure && shortStampText(measure.createdAt, today),
    withAuthor && measure?.createdBy,
    measure?.unsent && words[measure.unsent],
  ]
  return (
    <li>
      <PathStatus
        path={path}
        name={shownLabel(measure?.typeName ?? SafetyType.label(type))}
        note={notes.filter(Boolean).join('・') || undefined}
        status={status === 'unnecessary' ? 'barred' : status}
        word={word[status]}
      />
    </li>
  )
}
