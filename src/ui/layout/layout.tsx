import { useLingui } from '@lingui/react/macro'
import { LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon } from '#ui/base/icon.tsx'
import styles from './layout.module.css'

/** The column of a form's fields: 32 px gaps, at most 672 px wide. While `waits` is true the column is empty. */
export function FormLayout({ waits, children }: { waits?: boolean; children: ReactNode }) {
  return (
    <div className={styles.form} data-waits={waits || undefined}>
      {children}
    </div>
  )
}

/** Content between rows, indented from the screen edge. */
export function Pad({ children }: { children: ReactNode }) {
  return <div className={styles.pad}>{children}</div>
}

/** A container for banners between full-width rows. It takes no space if empty. */
export function Notices({ children }: { children: ReactNode }) {
  return <div className={styles.notices}>{children}</div>
}

/** Two elements side by side. */
export function Two({ children }: { children: ReactNode }) {
  return <div className={styles.two}>{children}</div>
}

/** A bar of buttons above the rows, two in a line. */
export function PairBar({ children }: { children: ReactNode }) {
  return <div className={styles.pair}>{children}</div>
}

/** One sentence that introduces the rows below it. */
export function Lead({ children }: { children: ReactNode }) {
  return <p className={styles.lead}>{children}</p>
}

/** The end of a list: 読み込み中 while more rows load, otherwise the children. */
export function ListEnd({ loading, children }: { loading?: boolean; children?: ReactNode }) {
  const { t } = useLingui()
  return (
    <p className={styles.end} role={loading ? 'status' : undefined}>
      {loading && <Icon as={LoaderCircle} />}
      {loading ? t`読み込み中` : children}
    </p>
  )
}
