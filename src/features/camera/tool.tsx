import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '#ui/base/icon.tsx'
import styles from './frame.module.css'

interface ToolProps {
  icon: LucideIcon
  /** For a button without visible text. */
  label?: string
  /** For a switch. */
  isOn?: boolean
  onClick: () => void
  children?: ReactNode
}

/** A button on the dark frame of the camera and of the marks. */
export function Tool({ icon, label, isOn, onClick, children }: ToolProps) {
  return (
    <button type="button" className={styles.tool} aria-label={label} aria-pressed={isOn} onClick={onClick}>
      <Icon as={icon} />
      {children}
    </button>
  )
}
