import type { ReactNode } from 'react'
import styles from './fact.module.css'

/** Outlined words that say what kind a thing is: Fact elements. */
export function Facts({ children }: { children: ReactNode }) {
  return <p className={styles.facts}>{children}</p>
}

/** One outlined word: 機器面, 点検. Not tappable. */
export function Fact({ children }: { children: ReactNode }) {
  return <span className={styles.fact}>{children}</span>
}
