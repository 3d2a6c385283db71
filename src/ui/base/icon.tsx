import type { LucideIcon } from 'lucide-react'
import { cx } from './cx.ts'
import styles from './icon.module.css'

/** A Lucide icon next to a word. The parent sets its size, and screen readers skip it. */
export function Icon({ as: Glyph, className }: { as: LucideIcon; className?: string | undefined }) {
  return <Glyph className={cx(styles.icon, className)} aria-hidden="true" focusable="false" />
}
