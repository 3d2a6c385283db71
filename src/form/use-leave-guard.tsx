import { useLingui } from '@lingui/react'
import { useRouter, type RouterHistory } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { messageText } from '#messages/messages.ts'
import { ConfirmSheet } from '#ui/popup/confirm-sheet.tsx'

/** A navigation as the router passes it to a blocker. */
type BlockedNavigation = Parameters<Parameters<RouterHistory['block']>[0]['blockerFn']>[0]

const NO_BLOCKER = { ignoreBlocker: true }

/** Repeats a blocked navigation. Must be called while the browser is on the form's history entry. */
function repeatNavigation(
  history: RouterHistory,
  { action, currentLocation: from, nextLocation: to }: BlockedNavigation,
) {
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
 * Asks before unsaved input is left (spec 5, ec00007): in a dialog before a navigation to another path, and by the
 * browser before the tab closes. A change of the query alone is not blocked.
 * A blocked navigation is repeated after はい. During the question the browser stays on the form's history entry, so
 * that the phone's back button answers いいえ.
 * @param isDirty called at the moment of leaving
 * @param onGivenUp called when the input is discarded
 * @returns the dialog, which can be rendered anywhere in the screen
 */
export function useLeaveGuard(isDirty: () => boolean, onGivenUp: () => void): ReactNode {
  const { i18n } = useLingui()
  const { history } = useRouter()
  const [blocked, setBlocked] = useState<BlockedNavigation | null>(null)
  const latestIsDirty = useRef(isDirty)
  const latestBlocked = useRef<BlockedNavigation | null>(null)
  useEffect(() => {
    latestIsDirty.current = isDirty
  }, [isDirty])
  useEffect(() => {
    latestBlocked.current = blocked
  }, [blocked])
  useEffect(
    () =>
      history.block({
        enableBeforeUnload: () => latestIsDirty.current(),
        blockerFn(next) {
          const isSameScreen = next.currentLocation.pathname === next.nextLocation.pathname
          if (isSameScreen || !latestIsDirty.current()) return false
          // The phone's back button during the question answers いいえ.
          setBlocked(latestBlocked.current && next.action === 'BACK' ? null : next)
          return true
        },
      }),
    [history],
  )
  if (!blocked) return null
  return (
    <ConfirmSheet
      question={messageText(i18n, 'ec00007')}
      destructive
      onYes={() => {
        onGivenUp()
        setBlocked(null)
        repeatNavigation(history, blocked)
      }}
      onNo={() => setBlocked(null)}
    />
  )
}
