import styles from './switch.module.css'

interface SwitchProps {
  label: string
  note?: string | undefined
  checked: boolean
  onChange: (on: boolean) => void
}

/** A switch for a setting that applies immediately, as a full-width row. */
export const Switch = ({ label, note, checked, onChange }: SwitchProps) => (
  <label className={styles.switch}>
    <span className={styles.name}>
      {label}
      {note !== undefined && <small>{note}</small>}
    </span>
    <input
      type="checkbox"
      role="switch"
      aria-label={label}
      checked={checked}
      aria-checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  </label>
)
