import { useLingui } from '@lingui/react/macro'
import {
  ChevronDown,
  ChevronRight,
  ChevronUp,
  CircleCheck,
  type LucideIcon,
  ScanQrCode,
  Search,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon, cx } from '#ui/base/icon.tsx'
import styles from './filter-bar.module.css'

interface FilterBarProps {
  range: string
  detail: string
  expanded: boolean
  onClick: () => void
  onScan: () => void
}

const SUB = cx(styles.bar, styles.sub, 'ring-in')
/** A code with its label, such as 依頼番号 R26-112001. Lines must not break inside it. */
const CODE = /((?:[^\s\d（）、]{1,6} )?[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8}){1,2})/

const unbroken = (text: string) =>
  text.split(CODE).map((part, i) => (
    <span key={i} className={i % 2 === 1 ? 'nb' : undefined}>
      {part}
    </span>
  ))

/** One line with the search conditions. 変更 opens the sheet 検索条件, and 読み取り scans a code. */
export function FilterBar({ range, detail, expanded, onClick, onScan }: FilterBarProps) {
  const { t } = useLingui()
  return (
    <div className={styles.search}>
      <button
        type="button"
        className={cx(styles.bar, 'ring-in')}
        aria-expanded={expanded}
        aria-haspopup="dialog"
        onClick={onClick}
      >
        <Icon as={Search} />
        <span className={styles.text}>
          <b className="num">{range}</b>
          <span>{unbroken(detail)}</span>
        </span>
        <span className={styles.go}>
          {t`変更`}
          <Icon as={ChevronDown} />
        </span>
      </button>
      <button type="button" className={cx(styles.scan, 'ring-in')} aria-haspopup="dialog" onClick={onScan}>
        <Icon as={ScanQrCode} />
        {t`読み取り`}
      </button>
    </div>
  )
}

interface ListBarProps {
  icon: LucideIcon
  action: string
  onClick: () => void
  children: ReactNode
}

/** One line above a list: a fact about all rows, and an action for several rows. */
export const ListBar = ({ icon, action, onClick, children }: ListBarProps) => (
  <div className={styles.list}>
    {children}
    <button type="button" className={SUB} onClick={onClick}>
      <Icon as={icon} />
      {action}
    </button>
  </div>
)

interface FoldRowProps {
  open: boolean
  onClick: () => void
  children: string
  marks?: ReactNode
}

/** A row that shows or hides the rows after it. */
export const FoldRow = ({ open, onClick, children, marks }: FoldRowProps) => (
  <button type="button" className={SUB} aria-expanded={open} onClick={onClick}>
    <Icon as={CircleCheck} />
    <span className={cx(styles.text, styles.fold)}>
      {children}
      {marks}
    </span>
    <Icon as={open ? ChevronUp : ChevronDown} />
  </button>
)

interface SubBarProps {
  icon: LucideIcon
  children: string
  onClick: () => void
}

/** A full-width row that opens a popup. Examples: 依頼詳細を見る, 緊急報告一覧. */
export const SubBar = ({ icon, children, onClick }: SubBarProps) => (
  <button type="button" className={SUB} onClick={onClick}>
    <Icon as={icon} />
    <span className={styles.text}>{children}</span>
    <Icon as={ChevronRight} />
  </button>
)
