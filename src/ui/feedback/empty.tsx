import { type ReactNode, useId } from 'react'
import styles from './empty.module.css'

interface EmptyProps {
  art: EmptyArtName
  heading: string
  advice?: string | undefined
  /** True for an error that appears without a navigation. Screen readers announce the error at once. */
  alert?: boolean | undefined
  children?: ReactNode
}

/** An empty state: a drawing, one bold sentence with the reason, one sentence of advice, and one button. */
export function Empty({ art, heading, advice, alert, children }: EmptyProps) {
  const id = useId()
  return (
    <section
      className={styles.empty}
      role={alert ? 'alert' : undefined}
      aria-labelledby={alert ? undefined : id}
    >
      <EmptyArt name={art} />
      <h2 id={id}>{heading}</h2>
      {advice !== undefined && <p>{advice}</p>}
      {children && <div className={styles.buttons}>{children}</div>}
    </section>
  )
}

/** search: no match. error: loading failed. sign: no such page. device: not on this device. done: nothing left to do. */
type EmptyArtName = 'search' | 'error' | 'sign' | 'device' | 'done'

const drawings: Record<EmptyArtName, ReactNode> = {
  search: (
    <>
      <rect x="10" y="18" width="62" height="52" rx="4" />
      <path d="M10 34h62M30 34v36M40 46h22M40 56h14" />
      <circle cx="68" cy="66" r="14" fill="var(--surface-page)" />
      <path d="m78.5 76.5 9 9" />
    </>
  ),
  error: (
    <>
      <rect x="14" y="18" width="68" height="52" rx="4" />
      <path d="M14 34h68M34 34v36M52 46l14 14M66 46 52 60M36 82h24" />
    </>
  ),
  sign: <path d="M48 12v72M34 84h28M48 20h28l8 8-8 8H48zM48 42H22l-8 8 8 8h26z" />,
  device: (
    <>
      <rect x="28" y="12" width="40" height="72" rx="6" />
      <path d="M42 22h12M48 38v20M38 50l10 10 10-10M38 72h20" />
    </>
  ),
  done: (
    <>
      <rect x="14" y="18" width="68" height="52" rx="4" />
      <path d="M14 34h68M34 34v36M48 52l8 8 14-15M36 82h24" />
    </>
  ),
}

const EmptyArt = ({ name }: { name: EmptyArtName }) => (
  <svg
    className={styles.art}
    viewBox="0 0 96 96"
    fill="none"
    stroke="currentColor"
    strokeWidth="3"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {drawings[name]}
  </svg>
)
