import type { ComponentType, ReactNode } from 'react'
import type { LucideIcon } from 'lucide-react'
import styles from './icon.module.css'

export const cx = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(' ')

/** A Lucide icon, hidden from screen readers. It is 1.5em wide unless the CSS of a parent sets `--icon`. */
export const Icon = ({ as: Glyph, className }: { as: LucideIcon; className?: string | undefined }) => (
  <Glyph className={cx(styles.icon, className)} aria-hidden="true" focusable="false" />
)

export const ProductMark = ({ size = 32 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" fill="none" stroke="currentColor">
    <rect x="3" y="5" width="26" height="22" rx="2" strokeWidth="2" />
    <path d="M3 12.5h26M12 12.5V27" strokeWidth="2" />
    <path
      d="m16 19.6 3.2 3.2 6-6.2"
      stroke="var(--board-accent)"
      strokeWidth="2.6"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </svg>
)

/** Makes a component that puts its children into an element with a class. */
export const wrapper = (
  Tag: 'div' | 'p' | 'span' | 'h3' | 'ul' | 'ol' | 'dl',
  className: string | undefined,
): ComponentType<{ children: ReactNode }> =>
  function Wrapper({ children }) {
    return <Tag className={className}>{children}</Tag>
  }
