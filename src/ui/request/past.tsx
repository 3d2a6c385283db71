import { useLingui } from '@lingui/react/macro'
import { ChevronRight, Siren } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Fact } from '#ui/feedback/mark.tsx'
import { Icon, wrapper } from '#ui/base/icon.tsx'
import styles from './past.module.css'

/** The list of past reports, newest first. Children are Past elements. */
export const PastList = wrapper('ol', styles.pasts)

interface PastProps {
  date: string
  category: string
  time?: string | undefined
  company?: string | undefined
  person?: string | undefined
  items: readonly { label: string; value: string }[]
  children?: ReactNode
}

/** A past report; children are its PastEmergency rows. */
export function Past({ date, category, time, company, person, items, children }: PastProps) {
  const id = useId()
  return (
    <li>
      <article className={styles.past} aria-labelledby={id}>
        <div className={styles.when}>
          <h2 id={id} className="num">
            {date}
          </h2>
          <Fact>{category}</Fact>
        </div>
        <p className={styles.by}>
          {time !== undefined && <span className="num">{time}　</span>}
          {company !== undefined && <span className="keep">{company}　</span>}
          {person !== undefined && <span className="nb">{person}</span>}
        </p>
        <dl className={styles.items}>
          {items.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {children}
      </article>
    </li>
  )
}

/** An emergency in a past report, as a button that opens 緊急報告詳細. */
export function PastEmergency({ note, onClick }: { note: string; onClick: () => void }) {
  const { t } = useLingui()
  return (
    <button type="button" className={styles.emergency} onClick={onClick}>
      <Icon as={Siren} />
      <span>
        {t`緊急報告`}
        <small>{note}</small>
      </span>
      <span className={styles.look}>
        {t`見る`}
        <Icon as={ChevronRight} />
      </span>
    </button>
  )
}
