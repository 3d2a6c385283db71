import type { ReactNode } from 'react'
import styles from './fact.module.css'

export function FactList({ children }: { children: ReactNode }) {
  return <p className={styles.facts}>{children}</p>
}

/** An outlined word for a kind or category, not tappable. Examples: 機器面, 点検. */
export function Fact({ children }: { children: ReactNode }) {
  return <span className={styles.fact}>{children}</span>
}
