import { ChevronDown, ChevronRight, ChevronUp, CircleCheck, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon, cx } from '#ui/base/icon.tsx'
import styles from './filter-bar.module.css'

export const SUB = cx(styles.bar, styles.sub, 'ring-in')

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
