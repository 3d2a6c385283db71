import { useLingui } from '@lingui/react/macro'
import { ArrowDown, Check, X } from 'lucide-react'
import { type ReactNode, useId, useRef, useEffect } from 'react'
import { Button } from '#ui/controls/button.tsx'
import { cx } from '#ui/layout/cx.ts'
import { Icon } from '#ui/layout/icon.tsx'
import { Modal } from './sheet.tsx'
import { useReadToEnd } from './use-read-to-end.ts'
import styles from './sheet.module.css'
import { useRouter } from '@tanstack/react-router'
import { isOwnBack } from '#lib/browser/own-back.ts'

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
  /** What went wrong with the answer: the banners stand at the foot of the screen, behind the sheet. */
  notice?: ReactNode
  /** What the question is about, usually a Brief: whoever is asked "did you check X" must see X. */
  children?: ReactNode
}

/** A question with いいえ left and はい right. はい waits until what it is about was seen to its end. */
export function ConfirmSheet({
  question,
  onYes,
  onNo,
  onClose,
  destructive,
  busy,
  yes,
  no,
  notice,
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
            {notice}
          </div>
          <Answers>
            {(unread) => (
              <>
                <Button tall data-first-focus={onClose ? undefined : ''} onClick={onClose ? onNo : leave}>
                  {no ?? t`いいえ`}
                </Button>
                <Button
                  variant={destructive ? 'danger-solid' : 'primary'}
                  busy={busy}
                  aria-disabled={unread !== undefined || undefined}
                  aria-describedby={unread}
                  onClick={() => unread === undefined && onYes()}
                >
                  {yes ?? t`はい`}
                </Button>
              </>
            )}
          </Answers>
        </>
      )}
    </Modal>
  )
}

/** The foot; where not all was in sight at first it says so, and the line keeps its place when it was. */
function Answers({ children }: { children: (unread: string | undefined) => ReactNode }) {
  const { t } = useLingui()
  const id = useId()
  const foot = useRef<HTMLElement>(null)
  const { isRead, wasLong } = useReadToEnd(foot)
  return (
    <footer ref={foot} className={cx(styles.foot, wasLong && styles.reading)}>
      {wasLong && (
        <output id={id} className={styles.read}>
          <Icon as={isRead ? Check : ArrowDown} />
          {isRead ? t`最後まで確認しました` : t`最後まで確認してください`}
        </output>
      )}
      {children(isRead ? undefined : id)}
    </footer>
  )
}

/**
 * Where a question stands that has no place in the address, the phone's back button answers it, and does not leave the
 * screen behind it. Put it into the dialog. What the app itself leaves after an answer it leaves.
 */
function BackCloses({ onBack }: { onBack: () => void }) {
  // the question of an ended session stands outside the routes: there is nothing to go back to
  const history = useRouter({ warn: false })?.history
  const latest = useRef(onBack)
  useEffect(() => {
    latest.current = onBack
  }, [onBack])
  useEffect(
    () =>
      history?.block({
        enableBeforeUnload: false,
        blockerFn: ({ action }) => {
          if (action !== 'BACK' || isOwnBack(history)) return false
          latest.current()
          return true
        },
      }),
    [history],
  )
  return null
}
