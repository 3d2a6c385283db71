import { CloudOff, type LucideIcon } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { Icon } from '#ui/base/icon.tsx'
import styles from './section.module.css'

interface SectionHeadProps {
  id?: string | undefined
  right?: ReactNode
  note?: string | undefined
  noteId?: string | undefined
  noteIcon?: LucideIcon | undefined
  children: ReactNode
}

/** The heading of a block of rows. */
export const SectionHead = ({ id, right, note, noteId, noteIcon = CloudOff, children }: SectionHeadProps) => (
  <div className={styles.section} data-section="">
    <div className={styles.line}>
      <h2 id={id}>{children}</h2>
      {right && <div className={styles.right}>{right}</div>}
    </div>
    {note !== undefined && (
      <p className={styles.note} id={noteId}>
        <Icon as={noteIcon} />
        {note}
      </p>
    )}
  </div>
)

interface SectionProps extends Omit<SectionHeadProps, 'id' | 'children'> {
  heading: string
  children: ReactNode
}

/** A block of rows with its heading, which names the block for screen readers. */
export function Section({ heading, children, ...head }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <SectionHead {...head} id={id}>
        {heading}
      </SectionHead>
      {children}
    </section>
  )
}
