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

/** 前回からの引き継ぎ of 依頼詳細: what the last visit left, for each machine. */
export function HandoverSection({ request, handover }: HandoverSectionProps) {
  const { t } = useLingui()
  const headId = useId()
  return (
    <section aria-labelledby={headId}>
      <SectionHead id={headId}>{t`前回からの引き継ぎ`}</SectionHead>
      {handover.map((machine) => (
        <Machine key={machine.device?.deviceId ?? ''} request={request} machine={machine} />
      ))}
    </section>
  )
}

function Machine({ request, machine }: { request: RequestRecord; machine: MachineHandover }) {
  const { t } = useLingui()
  const { device, lines, isRead } = machine
  const site = [device?.deviceModel ?? device?.deviceId, device?.site1, device?.site2]
  return (
    <LinkBlock className={styles.machine}>
      {device && <h3>{site.filter(Boolean).join(' ')}</h3>}
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => (
            <li key={line.kind}>
              <Line request={request} deviceId={device?.deviceId ?? ''} line={line} />
            </li>
          ))}
        </ul>
      )}
      {isRead && lines.length === 0 && <p>{t`前回の記録はありません`}</p>}
      {!isRead && <Unread request={request} machine={machine} />}
    </LinkBlock>
  )
}

/** What was not read is no reason to say that there is none. */
function Unread({
  request,
  machine: { device, lines },
}: {
  request: RequestRecord
  machine: MachineHandover
}) {
  const { t } = useLingui()
  const texts = useMissingTexts()
  const away = useUnreadLists(request, device)
  return (
    <p>
      {lines.length > 0 ? t`ほかの記録はまだ読み込んでいません` : t`前回の記録はまだ読み込んでいません`}
      <small>{texts[away]}</small>
    </p>
  )
}

interface LineProps {
  request: RequestRecord
  deviceId: string
  line: HandoverLine
}

/** One line: what, when, the word it left. It leads to its source. */
function Line({ request, deviceId, line }: LineProps) {
  const { name, icon, fact, text } = useLineTexts(line)
  return (
    <PathLine
      path={sourcePath(request, deviceId, line)}
      icon={icon}
      isUrgent={line.kind === 'emergency'}
      name={name}
      day={pastDayText(line.day)}
      fact={fact}
      text={beginning(text)}
    />
  )
}

/** Letters of a text that a line shows; the rest is behind its link. */
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

function sourcePath(request: RequestRecord, deviceId: string, line: HandoverLine): string {
  const reports = `/report/${encodeURIComponent(deviceId)}`
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
  /** 2026/08/27（木） */
  day: string
  /** 点検, 作業未完了 */
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
