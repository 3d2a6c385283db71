import { useLingui } from '@lingui/react/macro'
import { ArrowDown, Check, X } from 'lucide-react'
import { type ReactNode, useId, useRef, useEffect, useEffectEvent, type RefObject, useState } from 'react'
import { Button } from '#ui/controls/button.tsx'
import { Icon, cx } from '#ui/base/icon.tsx'
import { Modal } from './sheet.tsx'
import styles from './sheet.module.css'
import { useRouter } from '@tanstack/react-router'
import { isOwnBack } from '#lib/browser/own-back.ts'

interface ConfirmSheetProps {
  question: string
  onYes: () => void
  onNo: () => void
  /** Called for 閉じる and Escape. Needed if いいえ has an effect, because the user must be able to cancel. */
  onClose?: (() => void) | undefined
  destructive?: boolean | undefined
  busy?: boolean | undefined
  yes?: string | undefined
  no?: string | undefined
  /** An error about the answer. The sheet shows it, because the sheet covers the screen's banners. */
  notice?: ReactNode
  children?: ReactNode
}

/** A question with いいえ and はい. はい is disabled until the user has scrolled to the end of the facts. */
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

/** The answers. In a sheet too long for the screen, a lasting line above them asks the user to scroll. */
function Answers({ children }: { children: (unread: string | undefined) => ReactNode }) {
  const { t } = useLingui()
  const id = useId()
  const foot = useRef<HTMLDivElement>(null)
  const { isRead, wasLong } = useReadToEnd(foot)
  return (
    <div ref={foot} className={cx(styles.foot, wasLong && styles.reading)}>
      {wasLong && (
        <output id={id} className={styles.read}>
          <Icon as={isRead ? Check : ArrowDown} />
          {isRead ? t`最後まで確認しました` : t`最後まで確認してください`}
        </output>
      )}
      {children(isRead ? undefined : id)}
    </div>
  )
}

/** The phone's back button closes the question, which is not in the URL. The app's own navigation passes. */
function BackCloses({ onBack }: { onBack: () => void }) {
  // The question shown when a session ends is rendered outside the router, so it has no history.
  const history = useRouter({ warn: false })?.history
  const leave = useEffectEvent(onBack)
  useEffect(
    () =>
      history?.block({
        enableBeforeUnload: false,
        blockerFn: ({ action }) => {
          if (action !== 'BACK' || isOwnBack(history)) return false
          leave()
          return true
        },
      }),
    [history],
  )
  return null
}

/** Tolerance in px, because scroll positions are fractional under browser zoom. */
const TOLERANCE_PX = 4

/** True if the end of the scrolled content is visible, within the tolerance. */
export const isAtEnd = (of: Pick<Element, 'scrollTop' | 'clientHeight' | 'scrollHeight'>): boolean =>
  of.scrollTop + of.clientHeight >= of.scrollHeight - TOLERANCE_PX

/** Detects that the user has seen the whole sheet around `inside`. `wasLong`: it needed scrolling. */
function useReadToEnd(inside: RefObject<HTMLElement | null>): { isRead: boolean; wasLong: boolean } {
  const [isRead, setRead] = useState(false)
  const [wasLong, setLong] = useState(false)
  useEffect(() => {
    const sheet = inside.current?.closest('dialog')
    if (!sheet || isRead) return undefined
    const check = () => {
      // A dialog opens after its first paint (`useModal`). Until then it has no height. The observer then checks again.
      if (!sheet.open) return
      if (isAtEnd(sheet)) setRead(true)
      else setLong(true)
    }
    check()
    const sizes = new ResizeObserver(check)
    sizes.observe(sheet)
    sheet.addEventListener('scroll', check, { passive: true })
    return () => {
      sizes.disconnect()
      sheet.removeEventListener('scroll', check)
    }
  }, [inside, isRead])
  return { isRead, wasLong }
}
