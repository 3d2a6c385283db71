import styles from './meter.module.css'

/** A progress bar. Screen readers skip it, because the numbers are beside it. */
export function Meter({ value, max }: { value: number; max: number }) {
  const share = max > 0 ? Math.min(100, (value / max) * 100) : 0
  return (
    <span className={styles.meter} aria-hidden="true">
      <i style={{ width: `${share}%` }} />
    </span>
  )
}
