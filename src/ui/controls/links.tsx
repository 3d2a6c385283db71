import { useLingui } from '@lingui/react/macro'
import {
  Ban,
  ChevronRight,
  CircleCheck,
  CircleDashed,
  CircleEllipsis,
  type LucideIcon,
  PencilLine,
} from 'lucide-react'
import type { ComponentPropsWithRef, ReactNode } from 'react'
import { cx } from '#ui/layout/cx.ts'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './links.module.css'

/** 未登録, 登録済, 登録不可; unknown: the device does not know, `word` says why; draft: its form has input that is not saved. */
type LinkStatus = 'todo' | 'done' | 'barred' | 'unknown' | 'draft'

const icons: Record<LinkStatus, LucideIcon> = {
  todo: CircleDashed,
  done: CircleCheck,
  barred: Ban,
  unknown: CircleEllipsis,
  draft: PencilLine,
}

interface StatusProps {
  name: string
  /** The reason of 登録不可, or what is known: 写真 4枚・11/20 09:17. */
  note?: string | undefined
  status: LinkStatus
  /** In place of the status' own word: 不要. */
  word?: string | undefined
  /** A safety shield at the left; pale unless done. */
  lead?: LucideIcon | undefined
}

/** Rows that link records: li elements, each with a StatusAnchor, StatusButton or StatusRow. */
export function LinkList({ children }: { children: ReactNode }) {
  return <ul className={styles.links}>{children}</ul>
}

/** What may be done with a row besides opening it: below it, at the right. */
export function RowEnd({ children }: { children: ReactNode }) {
  return <div className={styles.end}>{children}</div>
}

/** A row that goes to the record's screen. */
export function StatusAnchor(props: StatusProps & Omit<ComponentPropsWithRef<'a'>, 'children'>) {
  const { name, note, status, word, lead, ...anchor } = props
  return (
    <a {...anchor} aria-current={undefined} className={cx(styles.link, styles.live, lead && styles.withLead)}>
      <Inside {...{ name, note, status, word, lead }} underlined={status !== 'barred'} chevron />
    </a>
  )
}

/** A row that opens a popup. */
export function StatusButton({
  onClick,
  disabled,
  ...facts
}: StatusProps & { onClick: () => void; disabled?: boolean }) {
  return (
    <button
      type="button"
      disabled={disabled}
      className={cx(styles.link, styles.live, styles.button, facts.lead && styles.withLead)}
      onClick={onClick}
    >
      <Inside {...facts} underlined={!disabled && facts.status !== 'barred'} chevron={!disabled} />
    </button>
  )
}

/**
 * A row without a way on: 登録不可, or registration while offline.
 * @param closedBy the element that says why a way that there is cannot be gone now
 */
export function StatusRow({ closedBy, ...facts }: StatusProps & { closedBy?: string | undefined }) {
  const closed = closedBy !== undefined && {
    role: 'link',
    tabIndex: 0,
    'aria-disabled': true,
    'aria-describedby': closedBy,
  }
  return (
    <div {...closed} className={cx(styles.link, facts.lead && styles.withLead)}>
      <Inside {...facts} />
    </div>
  )
}

function Inside(props: StatusProps & { underlined?: boolean; chevron?: boolean }) {
  const { name, note, status, word, lead, underlined, chevron } = props
  const { t } = useLingui()
  const words = {
    todo: t`未登録`,
    done: t`登録済`,
    barred: t`登録不可`,
    unknown: t`読み込み中`,
    draft: t`入力途中`,
  }
  return (
    <>
      {lead && (
        <span className={cx(styles.lead, status !== 'done' && styles.pale)}>
          <Icon as={lead} />
        </span>
      )}
      <span className={styles.name}>
        {name}
        {note !== undefined && <small>{note}</small>}
      </span>
      <span className={cx(styles.status, !underlined && styles.plain)}>
        <Icon as={icons[status]} />
        <span>{word ?? words[status]}</span>
      </span>
      {chevron ? <Icon as={ChevronRight} className={styles.chevron} /> : <span />}
    </>
  )
}
