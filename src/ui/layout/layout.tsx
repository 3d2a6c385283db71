import { useLingui } from '@lingui/react/macro'
import { LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import styles from './layout.module.css'

/** The column of fields inside a form: 32 px apart, at most 672 px wide. While it `waits` it has its place, unseen. */
export function FormLayout({ waits, children }: { waits?: boolean; children: ReactNode }) {
  return (
    <div className={styles.form} data-waits={waits || undefined}>
      {children}
    </div>
  )
}

/** Content between rows, set in from the screen's edge. */
export function Pad({ children }: { children: ReactNode }) {
  return <div className={styles.pad}>{children}</div>
}

/** A banner among full-bleed rows; nothing where it has nothing to say. */
export function Notices({ children }: { children: ReactNode }) {
  return <div className={styles.notices}>{children}</div>
}

/** Two short fields side by side. */
export function Two({ children }: { children: ReactNode }) {
  return <div className={styles.two}>{children}</div>
}

/** Two quiet buttons above the rows: 過去報告, 現場メモ一覧. */
export function PairBar({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>
}

/** One sentence that opens a screen. */
export function Lead({ children }: { children: ReactNode }) {
  return <p className={styles.lead}>{children}</p>
}

/** The end of a list: 読み込み中 while more is on its way, else what `children` say. */
export function ListEnd({ loading, children }: { loading?: boolean; children?: ReactNode }) {
  const { t } = useLingui()
  return (
    <p className={styles.end} role={loading ? 'status' : undefined}>
      {loading && <Icon as={LoaderCircle} />}
      {loading ? t`読み込み中` : children}
    </p>
  )
}
