import type { LucideIcon } from 'lucide-react'
import { cx } from './cx.ts'
import styles from './icon.module.css'

/** A Lucide icon beside a word: sized by the part it stands in, never read out. */
export function Icon({ as: Glyph, className }: { as: LucideIcon; className?: string | undefined }) {
  return <Glyph className={cx(styles.icon, className)} aria-hidden="true" focusable="false" />
}
