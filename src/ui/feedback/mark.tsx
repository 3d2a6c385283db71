import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#ui/layout/cx.ts'
import { Icon } from '#ui/layout/icon.tsx'
import styles from './mark.module.css'

interface MarkProps {
  icon: LucideIcon
  /** `in`: bold and green, inside or done. `faded`: the icon recedes, nothing there yet. `warn`:
   * bold and in the colour of warnings, something must still be done. */
  tone?: 'plain' | 'in' | 'faded' | 'warn' | undefined
  /** Holds times or codes, which never break. */
  num?: boolean | undefined
  children: ReactNode
}

/** A small fact: icon and text, not tappable (入館 08:56, オフラインで使えます). */
export function Mark({ icon, tone = 'plain', num, children }: MarkProps) {
  return (
    <span className={cx(styles.mark, tone !== 'plain' && styles[tone], num && 'num')}>
      <Icon as={icon} />
      <span>{children}</span>
    </span>
  )
}
