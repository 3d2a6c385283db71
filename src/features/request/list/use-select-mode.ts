import { useNavigate, useRouter } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { pushOnce } from '#ui/controls/path-link.tsx'

/** Key in the state of the history entry that opened まとめて登録 from the list. */
const PUSHED = 'selectPushed'

/** Returns a function that opens まとめて登録. The phone's back button closes it. */
export function useStartSelecting(): () => void {
  const { history } = useRouter()
  return () => pushOnce(history, '/request?select=true', { [PUSHED]: true })
}

/**
 * Returns a function that closes まとめて登録 by going back, so that the back button does not open it again. `popupOpen` is
 * true if 入館一括登録 is open, which has its own history entry.
 */
export function useStopSelecting(): (popupOpen: boolean) => void {
  const { history } = useRouter()
  const navigate = useNavigate()
  const [pushed] = useState(() => PUSHED in history.location.state)
  // Going back is asynchronous, so a second press on やめる must not go back again.
  const isLeaving = useRef(false)
  return (popupOpen) => {
    if (isLeaving.current) return
    isLeaving.current = true
    if (pushed) history.go(popupOpen ? -2 : -1)
    else void navigate({ to: '/request', search: {}, replace: true })
  }
}
