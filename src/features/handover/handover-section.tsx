import { useLingui } from '@lingui/react/macro'
import { ClipboardCheck, History, Siren, StickyNote } from 'lucide-react'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { useMissingTexts } from '#features/request-form/list-load-state.tsx'
import { notesPath } from '#features/request-form/notes-path.ts'
import { pastDayText } from '#lib/time/tokyo-time.ts'
import { LinkBlock, PathIcon } from '#ui/controls/links.tsx'
import { Section } from '#ui/layout/section.tsx'
import { useSendStateWords } from '#ui/feedback/send-state.tsx'
import type { HandoverLine } from './handover.ts'
import styles from './handover.module.css'
import { useUnreadLists, type Handover, type MachineHandover } from './use-handover.ts'

/** The section 前回からの引き継ぎ of 依頼詳細: what earlier visits reported, for each machine. */
export function HandoverSection({ request, handover }: { request: RequestRecord; handover: Handover }) {
  const { t } = useLingui()
  return (
    <Section heading={t`前回からの引き継ぎ`}>
      {handover.map((each) => (
        <Machine key={each.machine?.deviceId ?? ''} request={request} handover={each} />
      ))}
    </Section>
  )
}

interface MachineProps {
  request: RequestRecord
  handover: MachineHandover
}

function Machine({ request, handover }: MachineProps) {
  const { t } = useLingui()
  const { machine, lines, isRead } = handover
  const site = [machine?.deviceModel ?? machine?.deviceId, machine?.site1, machine?.site2]
  return (
    <LinkBlock className={styles.machine}>
      {machine && <h3>{site.filter(Boolean).join(' ')}</h3>}
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => (
            <li key={line.kind}>
              <Line request={request} machineId={machine?.deviceId ?? ''} line={line} />
            </li>
          ))}
        </ul>
      )}
      {isRead && lines.length === 0 && <p>{t`前回の記録はありません`}</p>}
      {!isRead && <Unread request={request} handover={handover} />}
    </LinkBlock>
  )
}

/** Says that some records have not been read yet. Without this line, the user would take the list for complete. */
function Unread({ request, handover: { machine, lines } }: MachineProps) {
  const { t } = useLingui()
  const texts = useMissingTexts()
  const absence = useUnreadLists(request, machine)
  return (
    <p>
      {lines.length > 0 ? t`ほかの記録はまだ読み込んでいません` : t`前回の記録はまだ読み込んでいません`}
      <small>{texts[absence]}</small>
    </p>
  )
}

const TEXT_MAX = 60

function beginning(text: string): string {
  const letters = Array.from(text)
  return letters.length > TEXT_MAX ? `${letters.slice(0, TEXT_MAX).join('').trimEnd()}…` : text
}

function useLine(request: RequestRecord, machineId: string, line: HandoverLine) {
  const { t } = useLingui()
  const words = useSendStateWords()
  const reports = `/report/${encodeURIComponent(machineId)}`
  switch (line.kind) {
    case 'emergency': {
      const day = new URLSearchParams({ workingDate: request.workingDate })
      const list = `/emergencyReport/${encodeURIComponent(request.id)}?${day.toString()}`
      const path = line.popup === null ? list : `${reports}?popup=${encodeURIComponent(line.popup)}`
      return { path, name: t`緊急報告`, icon: Siren, fact: line.contents, text: line.details }
    }
    case 'report': {
      const fact = line.category ?? t`区分なし`
      return { path: reports, name: t`過去報告`, icon: History, fact, text: line.comment || t`特記事項なし` }
    }
    case 'exit': {
      const path = `/quickReport/${encodeURIComponent(line.id)}`
      const fact = [line.category, line.unsent && words[line.unsent]].filter(Boolean).join(' ')
      const text = line.reason ?? t`詳細はまだ端末に保存されていません`
      return { path, name: t`自分の退館報告`, icon: ClipboardCheck, fact, text }
    }
    case 'note': {
      const fact = line.unsent ? words[line.unsent] : ''
      const path = notesPath(request, line.type)
      return { path, name: t`現場メモ`, icon: StickyNote, fact, text: line.note }
    }
  }
}

interface LineProps {
  request: RequestRecord
  machineId: string
  line: HandoverLine
}

function Line({ request, machineId, line }: LineProps) {
  const { path, name, icon, fact, text } = useLine(request, machineId, line)
  return (
    <PathIcon path={path} icon={icon} className={line.kind === 'emergency' ? styles.urgent : undefined}>
      <span>
        <span className={styles.head}>
          <b>{name}</b> <span className="num">{pastDayText(line.day)}</span>{' '}
          {fact !== '' && <span>{fact}</span>}
        </span>
        {text !== '' && <span className={styles.text}>{beginning(text)}</span>}
      </span>
    </PathIcon>
  )
}
