import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useId, useRef } from 'react'
import { Button } from '#ui/controls/button.tsx'
import { usePressGuard } from '#ui/controls/press-guard.ts'
import { useModal } from './use-modal.ts'
import { usePopupPhase } from './use-popup.ts'
import styles from './sheet.module.css'

interface SheetProps {
  heading: string
  /** 閉じる and Escape. */
  onClose: () => void
  /** Buttons that stay in sight at the foot. */
  footer?: ReactNode
  children: ReactNode
}

/** A popup: bottom sheet on phones, centred from 900 px. Mount it to open, unmount it to close. */
export function Sheet({ heading, onClose, footer, children }: SheetProps) {
  const { t } = useLingui()
  const id = useId()
  const phase = usePopupPhase()
  return (
    <Modal labelledBy={id} onClose={onClose} phase={phase}>
      {(leave) => (
        <>
          <header className={styles.head}>
            <h2 id={id}>{heading}</h2>
            <Button variant="plain" icon={X} onClick={leave}>{t`閉じる`}</Button>
          </header>
          <div className={styles.body}>{children}</div>
          {footer && <footer className={styles.foot}>{footer}</footer>}
        </>
      )}
    </Modal>
  )
}

interface ModalProps {
  labelledBy: string
  describedBy?: string | undefined
  /** In place of the sheet's. */
  look?: string | undefined
  role?: 'alertdialog' | undefined
  onClose: () => void
  /** Pressed anywhere in it. */
  onKeys?: ((event: KeyboardEvent<HTMLDialogElement>) => void) | undefined
  /** open, leaving: the address says when a popup leaves, and its owner when it is gone. */
  phase?: ReturnType<typeof usePopupPhase>
  children: (leave: () => void) => ReactNode
}

/**
 * The bare modal dialog under Sheet, ConfirmSheet and the viewer of photos: the one place that refuses presses nobody meant
 * for it.
 */
export function Modal(props: ModalProps) {
  const { labelledBy, describedBy, look, role, onClose, onKeys, phase = 'local', children } = props
  const dialog = useRef<HTMLDialogElement>(null)
  const playAndClose = useModal(dialog, onClose)
  const guard = usePressGuard(dialog)
  const leave = phase === 'local' ? playAndClose : onClose
  const cancel = (event: SyntheticEvent) => {
    if (event.target !== dialog.current) return
    event.preventDefault()
    leave()
  }
  // a browser may close without asking (a second press on the phone's back button)
  const closed = (event: SyntheticEvent) => {
    if (event.target === dialog.current && !dialog.current?.open && dialog.current?.isConnected) leave()
  }
  return (
    <dialog
      {...guard}
      ref={dialog}
      className={look ?? styles.sheet}
      data-leaving={phase === 'leaving' ? '' : undefined}
      role={role}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onCancel={cancel}
      onKeyDown={(event) => {
        keepFocus(event)
        onKeys?.(event)
      }}
      onClose={closed}
    >
      {children(leave)}
    </dialog>
  )
}

const TABBABLE =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex="0"]'

/** Tab goes round inside the dialog; by itself it would leave it for the browser's own bars. */
function keepFocus(event: KeyboardEvent<HTMLDialogElement>): void {
  const dialog = event.currentTarget
  const { target } = event
  if (event.key !== 'Tab' || !(target instanceof Element) || target.closest('dialog') !== dialog) return
  const stops = stopsIn(dialog)
  const end = event.shiftKey ? stops[0] : stops.at(-1)
  if (!end || (target !== end && target !== dialog)) return
  if (target === dialog && !event.shiftKey) return
  event.preventDefault()
  ;(event.shiftKey ? stops.at(-1) : stops[0])?.focus()
}

/** Where Tab stops: of the radios of a group only at the chosen one, or at the first. */
function stopsIn(dialog: HTMLElement): HTMLElement[] {
  const all = [...dialog.querySelectorAll<HTMLElement>(TABBABLE)]
  return all.filter((each) => {
    if (!(each instanceof HTMLInputElement) || each.type !== 'radio') return true
    const group = all.filter(
      (other): other is HTMLInputElement => other instanceof HTMLInputElement && other.name === each.name,
    )
    return each === (group.find(({ checked }) => checked) ?? group[0])
  })
}
