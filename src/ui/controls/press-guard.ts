/**
 * Which presses a sheet takes. Two quick taps on one spot must not answer a question that nobody has read: a press counts
 * only when it began in the sheet, and not in its first 400 ms. Times are epoch-free ms, as `Event.timeStamp`.
 *
 *     stood ────── 400 ms ──────┬──────────────
 *       a press that begins here│ one that begins here is taken, wherever it ends
 *       is refused, also where  │
 *       it ends after the guard │
 */
import {
  createContext,
  type RefObject,
  type SyntheticEvent,
  use,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
} from 'react'

const PRESS_GUARD_MS = 400

/** How long a sheet takes no press; 0 where a test has no time to pass. */
export const PressGuardContext = createContext(PRESS_GUARD_MS)

interface Sheet {
  stoodAt: number
  guardMs: number
}

interface Press {
  /** When the click came. */
  at: number
  /** By finger or mouse; else by a key, or by what reads the screen aloud. */
  byPointer: boolean
  /** When the finger came down in this sheet; null where it did not. */
  downAt: number | null
}

/** Whether the sheet takes the press. */
export function isTaken({ stoodAt, guardMs }: Sheet, { at, byPointer, downAt }: Press): boolean {
  const beganAt = byPointer ? downAt : at
  return beganAt !== null && beganAt >= stoodAt + guardMs
}

/** A key that was held down before the sheet stood goes on repeating in it. */
export const isHeldOver = (
  event: { repeat: boolean; key: string },
  freshKeys: ReadonlySet<string>,
): boolean => event.repeat && !freshKeys.has(event.key)

/** The handlers that refuse presses for a dialog; `data-guarded` is on it as long as it takes none. */
export function usePressGuard(dialog: RefObject<HTMLDialogElement | null>) {
  const guardMs = use(PressGuardContext)
  const stoodAt = useRef(Infinity)
  const downAt = useRef<number | null>(null)
  const freshKeys = useRef(new Set<string>())
  useLayoutEffect(() => {
    stoodAt.current = performance.now()
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
      if (isHeldOver(event, freshKeys.current)) refuse(event)
      else freshKeys.current.add(event.key)
    },
    onClickCapture(event: SyntheticEvent<Element, MouseEvent>) {
      const { detail } = event.nativeEvent
      const press = { at: event.timeStamp, byPointer: detail > 0, downAt: downAt.current }
      if (isOwn(event) && !isTaken({ stoodAt: stoodAt.current, guardMs }, press)) refuse(event)
    },
  }
}
