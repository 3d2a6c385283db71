import { BoardWrap } from './request-board.tsx'
import styles from './seg.module.css'

interface SegProps<Value extends string> {
  /** Accessible name of the group. Example: 期間. */
  label: string
  options: readonly { value: Value; label: string }[]
  /** Null if no option is chosen. */
  value: Value | null
  onChange: (value: Value) => void
}

/** The row of buttons for quick date ranges, on the green background below the app bar (Screen `board`). */
export function Seg<Value extends string>({ label, options, value, onChange }: SegProps<Value>) {
  return (
    <BoardWrap search>
      <fieldset className={styles.seg} aria-label={label}>
        {options.map((option) => (
          <button
            key={option.value}
            type="button"
            aria-pressed={option.value === value}
            onClick={() => onChange(option.value)}
          >
            {option.label}
          </button>
        ))}
      </fieldset>
    </BoardWrap>
  )
}
