import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { isOwnBack } from '#lib/own-back.ts'

/**
 * Where a question stands that has no place in the address, the phone's back button answers it, and does not leave the
 * screen behind it. Put it into the dialog. What the app itself leaves after an answer it leaves.
 */
export function BackCloses({ onBack }: { onBack: () => void }) {
  // the question of an ended session stands outside the routes: there is nothing to go back to
  const history = useRouter({ warn: false })?.history
  const latest = useRef(onBack)
  useEffect(() => {
    latest.current = onBack
  }, [onBack])
  useEffect(
    () =>
      history?.block({
        enableBeforeUnload: false,
        blockerFn: ({ action }) => {
          if (action !== 'BACK' || isOwnBack(history)) return false
          latest.current()
          return true
        },
      }),
    [history],
  )
  return null
}
