import { useLingui } from '@lingui/react/macro'
import { ClipboardCheck, History, type LucideIcon, Siren, StickyNote } from 'lucide-react'
import { type ComponentPropsWithRef, useId } from 'react'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { useMissingTexts } from '#features/request-form/list-load-state.tsx'
import { notesPath } from '#features/request-form/notes-path.ts'
import { pastDayText } from '#lib/time/tokyo-time.ts'
import { IconAnchor, LinkBlock } from '#ui/controls/links.tsx'
import { createPathLink } from '#ui/controls/path-link.tsx'
import { SectionHead } from '#ui/layout/section.tsx'
import { useSendStateWords } from '#ui/feedback/send-state.tsx'
import type { HandoverLine } from './handover.ts'
import styles from './handover.module.css'
import { useUnreadLists, type Handover, type MachineHandover } from './use-handover.ts'

interface HandoverSectionProps {
  request: RequestRecord
  handover: Handover
}

/** The section 前回からの引き継ぎ of 依頼詳細: what earlier visits reported, for each machine. */
export function HandoverSection({ request, handover }: HandoverSectionProps) {
  const { t } = useLingui()
  const headId = useId()
  return (
    <section aria-labelledby={headId}>
      <SectionHead id={headId}>{t`前回からの引き継ぎ`}</SectionHead>
      {handover.map((each) => (
        <Machine key={each.machine?.deviceId ?? ''} request={request} handover={each} />
      ))}
    </section>
  )
}

function Machine({ request, handover }: { request: RequestRecord; handover: MachineHandover }) {
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

/** Says that records are not read yet, so that a missing line does not look as if there were none. */
function Unread({
  request,
  handover: { machine, lines },
}: {
  request: RequestRecord
  handover: MachineHandover
}) {
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

interface LineProps {
  request: RequestRecord
  machineId: string
  line: HandoverLine
}

/** One line: kind of record, day, and its most important word. It links to the record. */
function Line({ request, machineId, line }: LineProps) {
  const { name, icon, fact, text } = useLineTexts(line)
  return (
    <PathLine
      path={sourcePath(request, machineId, line)}
      icon={icon}
      isUrgent={line.kind === 'emergency'}
      name={name}
      day={pastDayText(line.day)}
      fact={fact}
      text={beginning(text)}
    />
  )
}

/** Maximum characters of a record's text in a line. The whole text is on the screen that the line links to. */
const SHOWN = 60

function beginning(text: string): string {
  const letters = Array.from(text)
  return letters.length > SHOWN ? `${letters.slice(0, SHOWN).join('').trimEnd()}…` : text
}

function useLineTexts(line: HandoverLine) {
  const { t } = useLingui()
  const words = useSendStateWords()
  const joined = (...parts: (string | null | false)[]) => parts.filter(Boolean).join(' ')
  switch (line.kind) {
    case 'emergency':
      return { name: t`緊急報告`, icon: Siren, fact: line.contents, text: line.details }
    case 'report':
      return {
        name: t`過去報告`,
        icon: History,
        fact: line.category ?? t`区分なし`,
        text: line.comment || t`特記事項なし`,
      }
    case 'exit':
      return {
        name: t`自分の退館報告`,
        icon: ClipboardCheck,
        fact: joined(line.category, line.unsent && words[line.unsent]),
        text: line.reason ?? t`詳細はまだ端末に保存されていません`,
      }
    case 'note':
      return {
        name: t`現場メモ`,
        icon: StickyNote,
        fact: joined(line.unsent && words[line.unsent]),
        text: line.note,
      }
  }
}

/** URL of the record that a line is about. */
function sourcePath(request: RequestRecord, machineId: string, line: HandoverLine): string {
  const reports = `/report/${encodeURIComponent(machineId)}`
  switch (line.kind) {
    case 'emergency': {
      if (line.popup !== null) return `${reports}?popup=${encodeURIComponent(line.popup)}`
      const day = new URLSearchParams({ workingDate: request.workingDate })
      return `/emergencyReport/${encodeURIComponent(request.id)}?${day.toString()}`
    }
    case 'report':
      return reports
    case 'exit':
      return `/quickReport/${encodeURIComponent(line.id)}`
    case 'note':
      return notesPath(request, line.type)
  }
}

interface LineAnchorProps extends Omit<ComponentPropsWithRef<'a'>, 'children'> {
  icon: LucideIcon
  isUrgent: boolean
  name: string
  /** Example: 2026/08/27（木） */
  day: string
  /** Examples: 点検, 作業未完了 */
  fact: string
  text: string
}

function LineAnchor({ icon, isUrgent, name, day, fact, text, ...anchor }: LineAnchorProps) {
  return (
    <IconAnchor {...anchor} icon={icon} className={isUrgent ? styles.urgent : undefined}>
      <span>
        <span className={styles.head}>
          <b>{name}</b> <span className="num">{day}</span> {fact !== '' && <span>{fact}</span>}
        </span>
        {text !== '' && <span className={styles.text}>{text}</span>}
      </span>
    </IconAnchor>
  )
}

const PathLine = createPathLink(LineAnchor)
