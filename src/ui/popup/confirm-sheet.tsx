import { useLingui } from '@lingui/react/macro'
import { ArrowDown, Check, X } from 'lucide-react'
import { type ReactNode, useId, useRef, useEffect } from 'react'
import { Button } from '#ui/controls/button.tsx'
import { cx } from '#ui/base/cx.ts'
import { Icon } from '#ui/base/icon.tsx'
import { Modal } from './sheet.tsx'
import { useReadToEnd } from './use-read-to-end.ts'
import styles from './sheet.module.css'
import { useRouter } from '@tanstack/react-router'
import { isOwnBack } from '#lib/browser/own-back.ts'

interface ConfirmSheetProps {
  question: string
  onYes: () => void
  /** Called for いいえ; without `onClose` also for Escape. */
  onNo: () => void
  /** Called for 閉じる and Escape. Needed if いいえ has an effect, because the user must be able to cancel. */
  onClose?: (() => void) | undefined
  /** Makes はい red, because it destroys something. */
  destructive?: boolean | undefined
  busy?: boolean | undefined
  /** Labels that replace はい and いいえ. Example: 要 / 不要. */
  yes?: string | undefined
  no?: string | undefined
  /** An error about the answer. The sheet shows it, because the sheet covers the screen's banners. */
  notice?: ReactNode
  /** The facts that the user confirms, usually a Brief. */
  children?: ReactNode
}

/**
 * A question with いいえ at the left and はい at the right. はい is disabled until the user has scrolled to the end of the
 * facts.
 */
export function ConfirmSheet(props: ConfirmSheetProps) {
  const { question, onYes, onNo, onClose, destructive, busy, yes, no, notice, children } = props
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

/**
 * The footer with the answers. In a sheet too long for the screen, a line above the answers asks the user to scroll.
 * The line stays when the user has scrolled to the end.
 */
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
 * Makes the phone's back button close the question. The question is not in the URL, so the button would otherwise leave
 * the screen. Navigation by the app itself is not blocked.
 */
function BackCloses({ onBack }: { onBack: () => void }) {
  // The question shown when a session ends is rendered outside the router, so it has no history.
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
