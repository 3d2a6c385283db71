import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon, cx, wrapper } from '#ui/base/icon.tsx'
import styles from './mark.module.css'
import factStyles from '#ui/layout/fact.module.css'

interface MarkProps {
  icon: LucideIcon
  /** `in`: bold and green for an entry or a finished visit. `warn`: bold in the warning colour for something still to do. */
  tone?: 'plain' | 'in' | 'warn' | undefined
  /** True for texts with times or codes, which must not wrap. */
  num?: boolean | undefined
  children: ReactNode
}

/** A short fact with an icon. It cannot be tapped. Examples: 入館 08:56, オフラインで使えます. */
export const Mark = ({ icon, tone = 'plain', num, children }: MarkProps) => (
  <span className={cx(styles.mark, tone !== 'plain' && styles[tone], num && 'num')}>
    <Icon as={icon} />
    <span>{children}</span>
  </span>
)

export const FactList = wrapper('p', factStyles.facts)
/** An outlined word for a kind or category, not tappable. Examples: 機器面, 点検. */
export const Fact = wrapper('span', factStyles.fact)
