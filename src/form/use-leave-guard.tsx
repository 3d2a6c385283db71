import { useLingui } from '@lingui/react'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, type ReactNode } from 'react'
import { messageText } from '#messages/messages.ts'
import { ConfirmSheet } from '#ui/confirm-sheet.tsx'

/**
 * Asks before unsaved input is left (spec 5, ec00007): on the way to another path, and by the browser before the tab
 * closes. A change of the query alone (a popup) loses nothing and is let through.
 * @param isDirty asked at the moment of leaving
 * @param onGivenUp told when the input is left for good
 * @returns the question; put it anywhere in the screen
 */
export function useLeaveGuard(isDirty: () => boolean, onGivenUp: () => void): ReactNode {
  const { i18n } = useLingui()
  const ask = useRef(isDirty)
  useEffect(() => {
    ask.current = isDirty
  }, [isDirty])
  const shouldBlockFn = useCallback(
    ({ current, next }: { current: { pathname: string }; next: { pathname: string } }) =>
      current.pathname !== next.pathname && ask.current(),
    [],
  )
  const enableBeforeUnload = useCallback(() => ask.current(), [])
  const blocker = useBlocker({ shouldBlockFn, enableBeforeUnload, withResolver: true })
  if (blocker.status !== 'blocked') return null
  return (
    <ConfirmSheet
      question={messageText(i18n, 'ec00007')}
      destructive
      onYes={() => {
        onGivenUp()
        blocker.proceed()
      }}
      onNo={blocker.reset}
    />
  )
}
