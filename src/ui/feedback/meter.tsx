import styles from './meter.module.css'

/** A bar of progress; the numbers stand beside it, so it is not read out. */
export function Meter({ value, max }: { value: number; max: number }) {
  const share = max > 0 ? Math.min(100, (value / max) * 100) : 0
  return (
    <span className={styles.meter} aria-hidden="true">
      <i style={{ width: `${share}%` }} />
    </span>
  )
}
