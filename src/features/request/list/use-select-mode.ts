import { useNavigate, useRouter } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { pushOnce } from '#ui/popup/push-once.ts'

/** Marks the history entry that opened まとめて登録 from the list. */
const PUSHED = 'selectPushed'

/** Opens まとめて登録; the phone's back button leaves it. */
export function useStartSelecting(): () => void {
  const { history } = useRouter()
  return () => pushOnce(history, '/request?select=true', { [PUSHED]: true })
}

/**
 * Leaves まとめて登録 for the list: back over what was pushed for it, so that the back button does not lead in again.
 * @returns called with whether its popup is open
 */
export function useStopSelecting(): (popupOpen: boolean) => void {
  const { history } = useRouter()
  const navigate = useNavigate()
  const [pushed] = useState(() => PUSHED in history.location.state)
  // going back takes a moment: a second やめる in it must not go back further
  const isLeaving = useRef(false)
  return (popupOpen) => {
    if (isLeaving.current) return
    isLeaving.current = true
    if (pushed) history.go(popupOpen ? -2 : -1)
    else void navigate({ to: '/request', search: {}, replace: true })
  }
}
