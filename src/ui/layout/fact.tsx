import type { ReactNode } from 'react'
import styles from './fact.module.css'

/** Outlined words that state the kind of a thing. Children are Fact elements. */
export function FactList({ children }: { children: ReactNode }) {
  return <p className={styles.facts}>{children}</p>
}

/** One outlined word, not tappable. Examples: 機器面, 点検. */
export function Fact({ children }: { children: ReactNode }) {
  return <span className={styles.fact}>{children}</span>
}
