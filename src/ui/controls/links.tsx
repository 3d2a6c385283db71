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
import { cx } from '#ui/base/cx.ts'
import { Icon } from '#ui/base/icon.tsx'
import { inWords } from '#ui/base/in-words.tsx'
import styles from './links.module.css'

/**
 * todo 未登録, done 登録済, barred 登録不可. unknown: the device has no data, and `word` says why. draft: its form has unsaved
 * input.
 */
export type LinkStatus = 'todo' | 'done' | 'barred' | 'unknown' | 'draft'

const icons: Record<LinkStatus, LucideIcon> = {
  todo: CircleDashed,
  done: CircleCheck,
  barred: Ban,
  unknown: CircleEllipsis,
  draft: PencilLine,
}

interface StatusProps {
  name: string
  /** The reason for 登録不可, or known facts. Example: 写真 4枚・11/20 09:17. */
  note?: string | undefined
  status: LinkStatus
  /** Replaces the default word of the status. Example: 不要. */
  word?: string | undefined
  /** An icon at the left, such as a safety shield. It is pale unless the status is done. */
  lead?: LucideIcon | undefined
}

/** A list of links to records. Children are li elements, each with a StatusAnchor, StatusButton or StatusRow. */
export function LinkList({ children }: { children: ReactNode }) {
  return <ul className={styles.links}>{children}</ul>
}

/** The block of such a list, for more than one list, or with a heading. */
export function LinkBlock({ className, children }: { className: string | undefined; children: ReactNode }) {
  return <div className={cx(styles.links, className)}>{children}</div>
}

interface IconAnchorProps extends ComponentPropsWithRef<'a'> {
  icon: LucideIcon
  /** What the row says is dangerous. */
  danger?: boolean
}

/** A row that links to another screen: an icon, any content, a chevron. */
export function IconAnchor({ icon, danger, className, children, ...anchor }: IconAnchorProps) {
  const classes = cx(styles.link, styles.live, styles.withIcon, danger && styles.danger, className)
  return (
    <a {...anchor} className={classes}>
      <Icon as={icon} />
      {children}
      <Icon as={ChevronRight} className={styles.chevron} />
    </a>
  )
}

/** A further action for a row, placed below it at the right. */
export function RowEnd({ children }: { children: ReactNode }) {
  return <div className={styles.end}>{children}</div>
}

/** A row that links to the record's screen. */
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
 * A row that cannot be opened: 登録不可, or registration while offline.
 * @param closedBy id of the element that says why the link is disabled for now
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
        {inWords(name)}
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
