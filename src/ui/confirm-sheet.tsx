import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { BackCloses } from './back-closes.tsx'
import { Button } from './button.tsx'
import { cx } from './cx.ts'
import { Modal } from './sheet.tsx'
import styles from './sheet.module.css'

interface ConfirmSheetProps {
  /** The question is the heading. */
  question: string
  onYes: () => void
  /** いいえ, and Escape where there is no `onClose`. */
  onNo: () => void
  /** 閉じる and Escape, where いいえ does something too and one must be able to do neither. */
  onClose?: (() => void) | undefined
  /** はい destroys something: it is red. */
  destructive?: boolean | undefined
  busy?: boolean | undefined
  /** In place of はい and いいえ (要 / 不要). */
  yes?: string | undefined
  no?: string | undefined
  /** What the question is about, usually a Brief: whoever is asked "did you check X" must see X. */
  children?: ReactNode
}

/** A question with いいえ left and はい right. */
export function ConfirmSheet({
  question,
  onYes,
  onNo,
  onClose,
  destructive,
  busy,
  yes,
  no,
  children,
}: ConfirmSheetProps) {
  const { t } = useLingui()
  const id = useId()
  const facts = `${id}-facts`
  return (
    <Modal
      role="alertdialog"
      labelledBy={id}
      describedBy={children ? facts : undefined}
      onClose={onClose ?? onNo}
    >
      {(leave) => (
        <>
          <BackCloses onBack={leave} />
          {onClose && (
            <header className={styles.closing}>
              <Button variant="plain" icon={X} data-first-focus="" onClick={leave}>{t`閉じる`}</Button>
            </header>
          )}
          <div className={cx(styles.body, !onClose && styles.asking)}>
            <h2 className={styles.lead} id={id}>
              {question}
            </h2>
            {children && <div id={facts}>{children}</div>}
          </div>
          <footer className={styles.foot}>
            <Button tall data-first-focus={onClose ? undefined : ''} onClick={onClose ? onNo : leave}>
              {no ?? t`いいえ`}
            </Button>
            <Button variant={destructive ? 'danger-solid' : 'primary'} busy={busy} onClick={onYes}>
              {yes ?? t`はい`}
            </Button>
          </footer>
        </>
      )}
    </Modal>
  )
}
