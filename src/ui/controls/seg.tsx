import { BoardWrap } from '#ui/request/board.tsx'
import styles from './seg.module.css'

interface SegProps<Value extends string> {
  /** Names the group: 期間. */
  label: string
  options: readonly { value: Value; label: string }[]
  /** None where the range is another. */
  value: Value | null
  onChange: (value: Value) => void
}

/** Quick ranges on the green under the app bar (Screen `board`). */
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
