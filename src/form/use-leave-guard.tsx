import { useLingui } from '@lingui/react'
import { useRouter, type RouterHistory } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { messageText } from '#messages/messages.ts'
import { ConfirmSheet } from '#ui/popup/confirm-sheet.tsx'

/** A way out, as the history tells its blockers. */
type Way = Parameters<Parameters<RouterHistory['block']>[0]['blockerFn']>[0]

const NO_BLOCKER = { ignoreBlocker: true }

/** Goes where one was going. The browser has meanwhile gone back to the form, however it had left it. */
function goOn(history: RouterHistory, { action, currentLocation: from, nextLocation: to }: Way) {
  switch (action) {
    case 'PUSH':
      return history.push(to.href, to.state, NO_BLOCKER)
    case 'REPLACE':
      return history.replace(to.href, to.state, NO_BLOCKER)
    case 'BACK':
    case 'FORWARD':
    case 'GO':
      return history.go(to.state.__TSR_index - from.state.__TSR_index, NO_BLOCKER)
  }
}

/**
 * Asks before unsaved input is left (spec 5, ec00007): on the way to another path, and by the browser before the tab
 * closes. A change of the query alone (a popup) loses nothing and is let through.
 *
 * The way out is refused at once and gone anew after はい: while the question stands the browser is where the form is, so
 * that a second press on the phone's back button goes no further. It answers いいえ.
 * @param isDirty asked at the moment of leaving
 * @param onGivenUp told when the input is left for good
 * @returns the question; put it anywhere in the screen
 */
export function useLeaveGuard(isDirty: () => boolean, onGivenUp: () => void): ReactNode {
  const { i18n } = useLingui()
  const { history } = useRouter()
  const [way, setWay] = useState<Way | null>(null)
  const ask = useRef(isDirty)
  const asked = useRef<Way | null>(null)
  useEffect(() => {
    ask.current = isDirty
  }, [isDirty])
  useEffect(() => {
    asked.current = way
  }, [way])
  useEffect(
    () =>
      history.block({
        enableBeforeUnload: () => ask.current(),
        blockerFn(next) {
          if (next.currentLocation.pathname === next.nextLocation.pathname || !ask.current()) return false
          setWay(asked.current && next.action === 'BACK' ? null : next)
          return true
        },
      }),
    [history],
  )
  if (!way) return null
  return (
    <ConfirmSheet
      question={messageText(i18n, 'ec00007')}
      destructive
      onYes={() => {
        onGivenUp()
        setWay(null)
        goOn(history, way)
      }}
      onNo={() => setWay(null)}
    />
  )
}
