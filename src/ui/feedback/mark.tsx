import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#ui/base/cx.ts'
import { Icon } from '#ui/base/icon.tsx'
import styles from './mark.module.css'

interface MarkProps {
  icon: LucideIcon
  /** `in`: bold and green for an entry or a finished visit. `warn`: bold in the warning colour for something still to do. */
  tone?: 'plain' | 'in' | 'warn' | undefined
  /** True for texts with times or codes, which must not wrap. */
  num?: boolean | undefined
  children: ReactNode
}

/** A short fact with an icon. It cannot be tapped. Examples: 入館 08:56, オフラインで使えます. */
export function Mark({ icon, tone = 'plain', num, children }: MarkProps) {
  return (
    <span className={cx(styles.mark, tone !== 'plain' && styles[tone], num && 'num')}>
      <Icon as={icon} />
      <span>{children}</span>
    </span>
  )
}
