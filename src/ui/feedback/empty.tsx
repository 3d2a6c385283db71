import { type ReactNode, useId } from 'react'
import { EmptyArt, type EmptyArtName } from './empty-art.tsx'
import styles from './empty.module.css'

interface EmptyProps {
  art: EmptyArtName
  heading: string
  advice?: string | undefined
  /** True for an error that appears while the screen is open. It is announced at once. */
  alert?: boolean | undefined
  /** Buttons; the first one is the recommended next step. */
  children?: ReactNode
}

/** An empty state: a drawing, one bold sentence with the reason, one sentence of advice, and one button. */
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
