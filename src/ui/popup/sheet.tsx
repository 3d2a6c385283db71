import { useLingui } from '@lingui/react/macro'
import { X } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactNode,
  use,
  type SyntheticEvent,
  useId,
  useRef,
  type RefObject,
  useEffect,
  useLayoutEffect,
} from 'react'
import { Button } from '#ui/controls/button.tsx'
import { breakableName } from '#ui/base/breakable-name.tsx'
import { PressGuardContext, usePressGuard } from '#ui/base/press-guard.ts'
import { afterPaint } from '#lib/time/user-timing.ts'
import { usePopupPhase } from './use-popup.ts'
import styles from './sheet.module.css'

interface SheetProps {
  heading: string
  onClose: () => void
  footer?: ReactNode
  phase?: ReturnType<typeof usePopupPhase>
  children: ReactNode
}

/** A popup: a bottom sheet on phones, a centred dialog from 900 px. Mounting opens it and unmounting closes it. */
export function Sheet({ heading, onClose, footer, phase, children }: SheetProps) {
  const { t } = useLingui()
  const id = useId()
  const popup = usePopupPhase()
  return (
    <Modal labelledBy={id} onClose={onClose} phase={phase ?? popup}>
      {(leave) => (
        <>
          <header className={styles.head}>
            <h2 id={id}>{breakableName(heading)}</h2>
            <Button variant="plain" icon={X} onClick={leave}>{t`閉じる`}</Button>
          </header>
          <div className={styles.body}>{children}</div>
          {footer && <div className={styles.foot}>{footer}</div>}
        </>
      )}
    </Modal>
  )
}

interface ModalProps {
  labelledBy: string
  describedBy?: string | undefined
  look?: string | undefined
  role?: 'alertdialog' | undefined
  onClose: () => void
  onKeys?: ((event: KeyboardEvent<HTMLDialogElement>) => void) | undefined
  /** Phase of a dialog in the URL. `onClose` changes the URL, and then the owner unmounts the dialog. */
  phase?: ReturnType<typeof usePopupPhase>
  children: (leave: () => void) => ReactNode
}

/** The modal dialog of Sheet, ConfirmSheet and the photo viewer. It refuses accidental presses (press-guard.ts). */
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
  // A browser may close the dialog without a cancel event at the second press of the phone's back button.
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
        trapFocus(event)
        ignoreOuterSubmit(event)
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

/** Makes Tab cycle inside the dialog. Otherwise the focus would move to the browser's toolbar. */
function trapFocus(event: KeyboardEvent<HTMLDialogElement>): void {
  const { currentTarget: dialog, target, shiftKey } = event
  if (event.key !== 'Tab' || !(target instanceof Element) || target.closest('dialog') !== dialog) return
  const stops = stopsIn(dialog)
  const [first, last] = [stops.at(0), stops.at(-1)]
  const leavesDialog = shiftKey ? target === first || target === dialog : target === last
  const next = shiftKey ? last : first
  if (!leavesDialog || !next) return
  event.preventDefault()
  next.focus()
}

function ignoreOuterSubmit(event: KeyboardEvent<HTMLDialogElement>): void {
  const { target, key, currentTarget: dialog } = event
  if (key === 'Enter' && target instanceof HTMLInputElement && target.form && !dialog.contains(target.form))
    event.preventDefault()
}

/** Returns the tab stops in order. A radio group has one tab stop: the chosen radio, or the first. */
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

/** Opens the dialog while its component is mounted. @returns a function that plays the closing animation, then `onClose` */
function useModal(dialog: RefObject<HTMLDialogElement | null>, onClose: () => void): () => void {
  const guardMs = use(PressGuardContext)
  const leaving = useRef(false)
  const onClosed = useRef(onClose)
  useEffect(() => {
    onClosed.current = onClose
  }, [onClose])

  useLayoutEffect(() => {
    const element = dialog.current
    let release: (() => void) | undefined
    const open = () => {
      release = lockPage()
      if (element && !element.open) element.showModal()
      // The focus starts on the harmless answer instead of the first control.
      element?.querySelector<HTMLElement>('[data-first-focus]')?.focus({ preventScroll: true })
      // Focusing a control may have scrolled a long dialog past its heading.
      element?.scrollTo?.(0, 0)
    }
    // The browser computes the whole page's styles when a dialog opens, so the press is painted before.
    const cancel = guardMs === 0 ? open() : afterPaint(open)
    return () => {
      cancel?.()
      element?.close()
      release?.()
    }
  }, [dialog, guardMs])

  return () => {
    if (leaving.current) return
    leaving.current = true
    const element = dialog.current
    element?.setAttribute('data-leaving', '')
    const motion = element?.getAnimations?.() ?? []
    const end = () => {
      onClosed.current()
      // The owner may keep the dialog mounted, for example to ask about unsaved input. The dialog then opens again.
      requestAnimationFrame(() => {
        leaving.current = false
        element?.removeAttribute('data-leaving')
        if (element?.isConnected && !element.open) element.showModal()
      })
    }
    if (motion.length === 0) end()
    else void Promise.allSettled(motion.map((each) => each.finished)).then(end)
  }
}

/** The page ignores presses for 500 ms after a dialog opens and 300 ms after the last one closes (spec 9). */
export const LOCK_AT_LEAST_MS = 500
export const LOCK_AFTER_CLOSE_MS = 300

function lockPage(): () => void {
  const page = document.documentElement
  const { dataset } = page
  const openedAt = performance.now()
  dataset['locked'] = String(openedAt)
  return () => {
    const closedAt = performance.now()
    const token = String(closedAt)
    // Another dialog that opens or closes before the timeout overwrites the token and then releases the lock itself.
    dataset['locked'] = token
    setTimeout(
      () => {
        if (dataset['locked'] === token && !page.querySelector('dialog[open]')) delete dataset['locked']
      },
      Math.max(LOCK_AFTER_CLOSE_MS, LOCK_AT_LEAST_MS - (closedAt - openedAt)),
    )
  }
}
