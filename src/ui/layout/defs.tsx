import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Icon, cx, wrapper } from '#ui/base/icon.tsx'
import styles from './defs.module.css'

interface DefsProps {
  /** Makes the label column wide enough for eight characters. Example: 中止・延期の理由. */
  wideLabels?: boolean | undefined
  children: ReactNode
}

/** A list of rows with a label and a value. Children are Def elements. */
export const Defs = ({ wideLabels, children }: DefsProps) => (
  <dl className={cx(styles.defs, 'row-block', wideLabels && styles.wideLabels)}>{children}</dl>
)

/** A heading with the date and person that the rows below share. */
export const DefsHead = wrapper('h3', styles.head)

interface DefProps {
  label: string
  long?: boolean | undefined
  action?: ReactNode
  /** Makes the row a button that opens a popup. Label and value are its accessible name. */
  onOpen?: (() => void) | undefined
  /** The value. Small lines are <small>, names <span className="strong">, dates className "num". */
  children: ReactNode
}

/** One row: an 84 px label at the left, the value at the right. */
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
            className={cx(styles.open, 'ring-row')}
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
