import { useNavigate, useRouter } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { pushOnce } from '#ui/controls/push-once.ts'

/** Marks the history entry that opened まとめて登録 from the list. */
const PUSHED = 'selectPushed'

/** Opens まとめて登録. The phone's back button closes it. */
export function useStartSelecting(): () => void {
  const { history } = useRouter()
  return () => pushOnce(history, '/request?select=true', { [PUSHED]: true })
}

/**
 * Closes まとめて登録 by going back over its history entry, so that the back button does not reopen it.
 * @returns a function that takes whether its popup is open
 */
export function useStopSelecting(): (popupOpen: boolean) => void {
  const { history } = useRouter()
  const navigate = useNavigate()
  const [pushed] = useState(() => PUSHED in history.location.state)
  // Going back is asynchronous. A second press on やめる must not go back twice.
  const isLeaving = useRef(false)
  return (popupOpen) => {
    if (isLeaving.current) return
    isLeaving.current = true
    if (pushed) history.go(popupOpen ? -2 : -1)
    else void navigate({ to: '/request', search: {}, replace: true })
  }
}
