import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import { Icon } from './icon.tsx'
import styles from './defs.module.css'

interface DefsProps {
  /** Room for labels of eight characters: 中止・延期の理由. */
  wideLabels?: boolean | undefined
  children: ReactNode
}

/** Definition rows: Def elements. */
export function Defs({ wideLabels, children }: DefsProps) {
  return <dl className={cx(styles.defs, wideLabels && styles.wideLabels)}>{children}</dl>
}

/** What the rows below it have in common: when, and who. */
export function DefsHead({ children }: { children: ReactNode }) {
  return <h3 className={styles.head}>{children}</h3>
}

interface DefProps {
  label: string
  /** The value under the label instead of beside it: 現況, 伝達事項. */
  long?: boolean | undefined
  /** MapLink or PhoneLink. */
  action?: ReactNode
  /** Makes the row a button that opens its popup; named by label and value. */
  onOpen?: (() => void) | undefined
  /** The value; small lines below it as <small>, names in <span className="strong">, dates in "num". */
  children: ReactNode
}

/** One row: label 84 px left, value right. */
export function Def({ label, long, action, onOpen, children }: DefProps) {
  const id = useId()
  const side = action ?? (onOpen && <Icon as={ChevronRight} className={styles.chevron} />)
  return (
    <div className={cx(long && styles.long, side ? styles.withSide : undefined)}>
      <dt id={id}>{label}</dt>
      <dd id={`${id}-value`}>
        {onOpen ? (
          <button
            type="button"
            className={styles.open}
            aria-labelledby={`${id} ${id}-value`}
            onClick={onOpen}
          >
            {children}
          </button>
        ) : (
          children
        )}
      </dd>
      {side && <dd className={styles.side}>{side}</dd>}
    </div>
  )
}
