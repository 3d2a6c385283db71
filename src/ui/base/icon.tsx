import type { LucideIcon } from 'lucide-react'
import { cx } from './cx.ts'
import styles from './icon.module.css'

/** A Lucide icon, hidden from screen readers. It is 1.5em wide unless the CSS of a parent sets `--icon`. */
export function Icon({ as: Glyph, className }: { as: LucideIcon; className?: string | undefined }) {
  return <Glyph className={cx(styles.icon, className)} aria-hidden="true" focusable="false" />
}
