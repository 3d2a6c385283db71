import { useLingui } from '@lingui/react/macro'
import { ListChecks } from 'lucide-react'
import { SafetyStatus, SafetyType } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { safetyNames } from '#data/request-facts.ts'
import { useSafetyRows } from '#data/use-safety-measures.ts'
import { shortStampText } from '#lib/tokyo-time.ts'
import { Button } from '#ui/button.tsx'
import { Pad } from '#ui/layout.tsx'
import { LinkList } from '#ui/links.tsx'
import { PathStatus } from '#ui/path-link.tsx'
import { SectionHead } from '#ui/section.tsx'
import { usePopup } from '#ui/use-popup.ts'
import { SafetyListSheet } from './safety-list-sheet.tsx'
import { safetyTargets, type SafetyTarget } from './safety-rows.ts'
import { useSafetyStatus } from './use-safety-status.ts'

/** 安全対策: what the request names, whether it is registered for this day, and the popup 安全対策一覧. */
export function SafetySection({ request }: { request: RequestRecord }) {
  const { t } = useLingui()
  const list = usePopup('safety')
  const { status } = useSafetyStatus(request)
  const rows = safetyTargets(request, useSafetyRows(request) ?? [])
  return (
    <>
      <SectionHead
        right={status === null ? undefined : SafetyStatus.label(status)}
      >{t`安全対策`}</SectionHead>
      {rows.length === 0 && <Pad>{safetyNames(request).join('；') || t`なし`}</Pad>}
      <LinkList>
        {rows.map((row) => (
          <SafetyItem key={row.type} row={row} />
        ))}
      </LinkList>
      <Pad>
        <Button icon={ListChecks} aria-haspopup="dialog" onClick={list.open}>{t`安全対策一覧`}</Button>
      </Pad>
      {list.isOpen && <SafetyListSheet request={request} onClose={list.close} />}
    </>
  )
}

function SafetyItem({ row: { type, status, measure, path } }: { row: SafetyTarget }) {
  const { t } = useLingui()
  const words = { waiting: t`待機`, sending: t`送信中`, failed: t`送信失敗`, expired: t`期限切れ` }
  const notes = [measure && shortStampText(measure.createdAt), measure?.state && words[measure.state]]
  return (
    <li>
      <PathStatus
        path={path}
        name={SafetyType.label(type)}
        note={notes.filter(Boolean).join('・') || undefined}
        status={status === 'unnecessary' ? 'barred' : status}
        word={status === 'unnecessary' ? t`不要` : undefined}
      />
    </li>
  )
}
