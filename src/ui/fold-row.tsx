import { ChevronDown, ChevronUp, CircleCheck } from 'lucide-react'
import { Icon } from './icon.tsx'
import styles from './fold-row.module.css'

interface FoldRowProps {
  open: boolean
  onClick: () => void
  /** 完了 3件 */
  children: string
}

/** A line of a list that opens the rows after it. */
export function FoldRow({ open, onClick, children }: FoldRowProps) {
  return (
    <button type="button" className={styles.fold} aria-expanded={open} onClick={onClick}>
      <Icon as={CircleCheck} />
      <span>{children}</span>
      <Icon as={open ? ChevronUp : ChevronDown} />
    </button>
  )
}
