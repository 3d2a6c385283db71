/** The cards of 緊急報告一覧 and 現場メモ一覧. */
import { type ReactNode, useId } from 'react'
import { cx, wrapper } from '#ui/base/icon.tsx'
import styles from './entry.module.css'

/** The reports or notes of a list. Children are Entry cards. */
export const Entries = wrapper('div', styles.entries)

interface EntryProps {
  when: string
  by?: string | undefined
  corner?: ReactNode
  text?: string | undefined
  facts?: ReactNode
  children?: ReactNode
}

/** A card with one report or note. */
export function Entry({ when, by, corner, text, facts, children }: EntryProps) {
  const id = useId()
  return (
    <article className={styles.entry} aria-labelledby={id}>
      <div className={styles.head}>
        <div>
          <h2 id={id} className={cx('num', by !== undefined && styles.small)}>
            {when}
          </h2>
          {by !== undefined && <p className={styles.by}>{by}</p>}
        </div>
        {corner}
      </div>
      {facts}
      {text !== undefined && <p className={styles.text}>{text}</p>}
      {children}
    </article>
  )
}
