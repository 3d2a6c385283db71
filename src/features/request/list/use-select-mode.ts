import { useNavigate, useRouter } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { pushOnce } from '#ui/controls/push-once.ts'

/** Name in the history state of the entry that opened まとめて登録 from the list. */
const PUSHED = 'selectPushed'

/** Returns a function that opens まとめて登録. The phone's back button closes it. */
export function useStartSelecting(): () => void {
  const { history } = useRouter()
  return () => pushOnce(history, '/request?select=true', { [PUSHED]: true })
}

/**
 * Returns a function that closes まとめて登録. It goes back over the history entry, so that the back button does not open
 * まとめて登録 again. `popupOpen` is true if 入館一括登録 is open, which has a history entry of its own.
 */
export function useStopSelecting(): (popupOpen: boolean) => void {
  const { history } = useRouter()
  const navigate = useNavigate()
  const [pushed] = useState(() => PUSHED in history.location.state)
  // Going back takes a moment. A second press on やめる in that moment must not go back twice.
  const isLeaving = useRef(false)
  return (popupOpen) => {
    if (isLeaving.current) return
    isLeaving.current = true
    if (pushed) history.go(popupOpen ? -2 : -1)
    else void navigate({ to: '/request', search: {}, replace: true })
  }
}
