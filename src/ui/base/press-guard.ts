/**
 * Decides which presses a sheet accepts: only presses that began inside the sheet at least 400 ms after it opened.
 * Without this rule, two quick taps on one spot would open a question and answer it unread. Times are in ms, as
 * `Event.timeStamp`.
 *
 *     opened ───── 400 ms ──────┬──────────────────────────────
 *       presses that begin here │ presses that begin here are
 *       are refused, wherever   │ accepted, wherever they end
 *       they end                │
 */
import {
  createContext,
  type RefObject,
  type SyntheticEvent,
  use,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type MouseEvent as ReactMouseEvent,
} from 'react'

const PRESS_GUARD_MS = 400
/** Time in ms for which a new sheet refuses presses. Tests set 0. */
export const PressGuardContext = createContext(PRESS_GUARD_MS)

interface Press {
  at: number
  /** True for a finger or mouse; false for a key or a screen reader. */
  byPointer: boolean
  downAt: number | null
}

export function isAccepted(
  { openedAt, guardMs }: { openedAt: number; guardMs: number },
  { at, byPointer, downAt }: Press,
): boolean {
  const beganAt = byPointer ? downAt : at
  return beganAt !== null && beganAt >= openedAt + guardMs
}

/** True for the auto-repeat of a key that was pressed before the sheet opened. */
export const isKeyRepeat = (
  event: { repeat: boolean; key: string },
  freshKeys: ReadonlySet<string>,
): boolean => event.repeat && !freshKeys.has(event.key)

/** Returns event handlers that refuse early presses. A dialog that refuses presses has the attribute `data-guarded`. */
export function usePressGuard(dialog: RefObject<HTMLDialogElement | null>) {
  const guardMs = use(PressGuardContext)
  const openedAt = useRef(Infinity)
  const downAt = useRef<number | null>(null)
  const freshKeys = useRef(new Set<string>())
  useLayoutEffect(() => {
    openedAt.current = performance.now()
    if (guardMs === 0) return undefined
    const element = dialog.current
    element?.setAttribute('data-guarded', '')
    const timer = setTimeout(() => element?.removeAttribute('data-guarded'), guardMs)
    return () => clearTimeout(timer)
  }, [dialog, guardMs])
  const isOwn = ({ target }: SyntheticEvent) =>
    target instanceof Element && target.closest('dialog') === dialog.current
  const refuse = (event: SyntheticEvent) => {
    event.preventDefault()
    event.stopPropagation()
  }
  if (guardMs === 0) return {}
  return {
    onPointerDownCapture(event: SyntheticEvent) {
      if (isOwn(event)) downAt.current = event.timeStamp
    },
    onKeyDownCapture(event: KeyboardEvent) {
      if (!isOwn(event)) return
      if (isKeyRepeat(event, freshKeys.current)) refuse(event)
      else freshKeys.current.add(event.key)
    },
    onClickCapture(event: SyntheticEvent<Element, MouseEvent>) {
      const { detail } = event.nativeEvent
      const press = { at: event.timeStamp, byPointer: detail > 0, downAt: downAt.current }
      if (isOwn(event) && !isAccepted({ openedAt: openedAt.current, guardMs }, press)) refuse(event)
    },
  }
}

/** True for a click that navigates in this tab: the main button without a modifier key. */
export const isPlainClick = ({ metaKey, ctrlKey, shiftKey, altKey, button }: ReactMouseEvent): boolean =>
  !metaKey && !ctrlKey && !shiftKey && !altKey && button === 0
