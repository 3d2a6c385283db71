import { useLingui } from '@lingui/react/macro'
import { LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { Icon, wrapper } from '#ui/base/icon.tsx'
import styles from './layout.module.css'
import summaryStyles from './summary.module.css'

/** The column of a form's fields: 32 px gaps, at most 672 px wide. While `waits` is true the column is empty. */
export const FormLayout = ({ waits, children }: { waits?: boolean; children: ReactNode }) => (
  <div className={styles.form} data-waits={waits || undefined}>
    {children}
  </div>
)

/** Content between rows, indented from the screen edge. */
export const Pad = wrapper('div', styles.pad)
/** A container for banners between full-width rows. It takes no space if empty. */
export const Notices = wrapper('div', styles.notices)
/** Two elements side by side. */
export const Two = wrapper('div', styles.two)
/** A bar of buttons above the rows, two in a line. */
export const PairBar = wrapper('div', styles.pair)
/** One sentence that introduces the rows below it. */
export const Lead = wrapper('p', styles.lead)

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

/** A white line below the app bar with the screen's most important fact. Examples: 未送信 5件, 2件を選択中, a machine's name. */
export const Summary = ({ title, children }: { title: ReactNode; children?: ReactNode }) => (
  <div className={summaryStyles.summary}>
    <b>{title}</b>
    {children && <p>{children}</p>}
  </div>
)
