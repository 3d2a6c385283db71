import { type ReactNode, useId } from 'react'
import { EmptyArt, type EmptyArtName } from './empty-art.tsx'
import styles from './empty.module.css'

interface EmptyProps {
  art: EmptyArtName
  heading: string
  advice?: string | undefined
  /** An error that came up while one looked: read out at once. */
  alert?: boolean | undefined
  /** Buttons, the first one the way on. */
  children?: ReactNode
}

/** Nothing to show, and why: a drawing, one bold sentence, one of advice, one button. */
export function Empty({ art, heading, advice, alert, children }: EmptyProps) {
  const id = useId()
  return (
    <section
      className={styles.empty}
      role={alert ? 'alert' : undefined}
      aria-labelledby={alert ? undefined : id}
    >
      <EmptyArt name={art} />
      <h2 id={id}>{heading}</h2>
      {advice !== undefined && <p>{advice}</p>}
      {children && <div className={styles.buttons}>{children}</div>}
    </section>
  )
}
