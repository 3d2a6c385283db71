import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** After a press in the dialog the app itself may go back; a save takes its time. */
const AFTER_A_PRESS_MS = 3_000

/**
 * Where a question stands that has no place in the address, the phone's back button answers it, and does not leave the
 * screen behind it. Put it into the dialog.
 */
export function BackCloses({ onBack }: { onBack: () => void }) {
  // the question of an ended session stands outside the routes: there is nothing to go back to
  const history = useRouter({ warn: false })?.history
  const here = useRef<HTMLSpanElement>(null)
  const latest = useRef(onBack)
  useEffect(() => {
    latest.current = onBack
  }, [onBack])
  useEffect(() => {
    let pressedAt = -Infinity
    const press = () => (pressedAt = performance.now())
    const dialog = here.current?.closest('dialog')
    dialog?.addEventListener('click', press, { capture: true })
    const unblock = history?.block({
      enableBeforeUnload: false,
      blockerFn: ({ action }) => {
        if (action !== 'BACK' || performance.now() - pressedAt < AFTER_A_PRESS_MS) return false
        latest.current()
        return true
      },
    })
    return () => {
      dialog?.removeEventListener('click', press, { capture: true })
      unblock?.()
    }
  }, [history])
  return <span ref={here} hidden />
}
