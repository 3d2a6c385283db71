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
import type { ComponentPropsWithRef, PropsWithChildren, ReactNode } from 'react'
import { Icon, cx, wrapper } from '#ui/base/icon.tsx'
import { breakableName } from '#ui/base/breakable-name.tsx'
import { createPathLink } from './path-link.tsx'
import styles from './links.module.css'

/** `unknown`: the device has no data, and `word` says why. `draft`: the form has unsaved input. */
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
  note?: string | undefined
  status: LinkStatus
  word?: string | undefined
}

/** A list of links to records. Children are li elements, each with a StatusAnchor, StatusButton or StatusRow. */
export const LinkList = ({ children }: { children: ReactNode }) => (
  <ul className={cx(styles.links, 'row-block')}>{children}</ul>
)

/** A frame around several LinkLists, or around a list and its heading. */
export const LinkBlock = ({ className, children }: PropsWithChildren<{ className: string | undefined }>) => (
  <div className={cx(styles.links, 'row-block', className)}>{children}</div>
)

const LIVE = cx(styles.link, styles.live, 'ring-row')

interface IconAnchorProps extends ComponentPropsWithRef<'a'> {
  icon: LucideIcon
  danger?: boolean
}

/** A row that links to another screen: an icon, any content, a chevron. */
export function IconAnchor({ icon, danger, className, children, ...anchor }: IconAnchorProps) {
  const classes = cx(LIVE, styles.withIcon, danger && styles.danger, className)
  return (
    <a {...anchor} className={classes}>
      <Icon as={icon} />
      {children}
      <Icon as={ChevronRight} className={styles.chevron} />
    </a>
  )
}

export const PathIcon = createPathLink(IconAnchor)
/** An action for a row, placed below the row at the right. */
export const RowEnd = wrapper('div', styles.end)

export function StatusAnchor(props: StatusProps & Omit<ComponentPropsWithRef<'a'>, 'children'>) {
  const { name, note, status, word, ...anchor } = props
  return (
    <a {...anchor} aria-current={undefined} className={LIVE}>
      <Inside {...{ name, note, status, word }} opens />
    </a>
  )
}

export const PathStatus = createPathLink(StatusAnchor)

interface StatusButtonProps extends StatusProps {
  lead: LucideIcon
  onClick: () => void
}

export const StatusButton = ({ onClick, ...facts }: StatusButtonProps) => (
  <button type="button" className={cx(LIVE, styles.button, styles.withLead)} onClick={onClick}>
    <Inside {...facts} opens />
  </button>
)

/** A row that cannot be opened: 登録不可, or while offline. @param closedBy id of the element that says why */
export function StatusRow({ closedBy, ...facts }: StatusProps & { closedBy?: string | undefined }) {
  const closed = closedBy !== undefined && {
    role: 'link',
    tabIndex: 0,
    'aria-disabled': true,
    'aria-describedby': closedBy,
  }
  return (
    <div {...closed} className={styles.link}>
      <Inside {...facts} />
    </div>
  )
}

function Inside(props: StatusProps & { lead?: LucideIcon; opens?: boolean }) {
  const { name, note, status, word, lead, opens } = props
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
        {breakableName(name)}
        {note !== undefined && <small>{note}</small>}
      </span>
      <span className={cx(styles.status, (!opens || status === 'barred') && styles.plain)}>
        <Icon as={icons[status]} />
        <span>{word ?? words[status]}</span>
      </span>
      {opens ? <Icon as={ChevronRight} className={styles.chevron} /> : <span />}
    </>
  )
}
