import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { goBack } from '#lib/browser/own-back.ts'
import { pushOver } from '#ui/controls/push-once.ts'

/** Key that `open` sets in the state of the history entry it pushes. Closing such an entry goes back. */
const PUSHED = 'popupPushed'

/** Time in ms for which a popup stays mounted after it has left the URL, for its closing animation (spec 9). */
export const REMOVAL_MS = 150

/**
 * A popup in the URL (`?popup=name`). The phone's back button closes it, and a reload preserves it. 閉じる, Escape and a
 * save also close it by going back:
 *
 *     open ── push ──→ in the URL ── back, close ──→ closing, 150 ms ──→ unmounted
 *
 * `close` goes back, or removes the parameter if the screen was opened with it. Another screen has no such parameter,
 * so navigating closes the popup, and going back shows the screen with its popup again.
 */
export function usePopup(name: string): { isOpen: boolean; open: () => void; close: () => void } {
  const { history } = useRouter()
  const open = useOpenPopup(name)
  // Selects a boolean, so that other popups do not re-render this component.
  const inUrl = useRouterState({ select: ({ location }) => popupIn(location.search) === name })
  const [isShown, setShown] = useState(inUrl)
  if (inUrl && !isShown) setShown(true)
  // Going back is asynchronous, so a second press on 閉じる must not go back again.
  const closing = useRef(false)
  useEffect(() => {
    closing.current = false
    if (inUrl) return undefined
    const timer = setTimeout(() => setShown(false), REMOVAL_MS)
    return () => clearTimeout(timer)
  }, [inUrl])
  return {
    isOpen: isShown,
    open,
    close() {
      if (closing.current || new URLSearchParams(history.location.search).get('popup') !== name) return
      closing.current = true
      if (PUSHED in history.location.state) goBack(history)
      else history.replace(hrefWith(history.location, 'popup', null))
    },
  }
}

/** Returns a function that opens a popup. Opening and closing it do not re-render the caller. */
export function useOpenPopup(name: string): () => void {
  const { history } = useRouter()
  return () => {
    if (new URLSearchParams(history.location.search).get('popup') === name) return
    pushOver(history, hrefWith(history.location, 'popup', name), PUSHED)
  }
}

/**
 * Returns the phase of the surrounding popup: `local` if it is not in the URL, `open`, or `leaving` after it has left
 * the URL.
 */
export function usePopupPhase(): 'local' | 'open' | 'leaving' {
  const current = useRouterState({ select: ({ location }) => popupIn(location.search) })
  // The popup that was in the URL when the component mounted is the one around it.
  const [own] = useState(current)
  if (own === undefined) return 'local'
  return current === own ? 'open' : 'leaving'
}

const popupIn = (search: object): unknown => ('popup' in search ? search.popup : undefined)

/** Returns the URL after setting a parameter, or after removing it if `value` is null. */
export function hrefWith(
  { pathname, search }: { pathname: string; search: string },
  param: string,
  value: string | null,
): string {
  const params = new URLSearchParams(search)
  params.delete(param)
  if (value !== null) params.set(param, value)
  const query = params.toString()
  return query === '' ? pathname : `${pathname}?${query}`
}
