import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { goBack } from '#lib/browser/own-back.ts'
import { pushOver } from './push-once.ts'

/** Marks a history entry that `open` pushed, so that closing goes back over it. */
const PUSHED = 'popupPushed'

/** How long a popup that has left the address stays, to play its way out (spec 9). */
export const REMOVAL_MS = 150

/**
 * A popup in the URL (`?popup=name`): the phone's back button closes it, and a reload keeps it. 閉じる, Escape and a save
 * close it the same way:
 *
 *     open ── pushes ──→ in the address ── back, close ──→ leaving, 150 ms ──→ gone
 *
 * Closing goes back over what was pushed, or takes the parameter away where it came with the link. Opening another
 * screen drops the parameter, and with it the popup; the way back leads to the screen with its popup.
 */
export function usePopup(name: string): { isOpen: boolean; open: () => void; close: () => void } {
  const { history } = useRouter()
  const open = useOpenPopup(name)
  // not its name: whoever has another popup would be drawn with it
  const inUrl = useRouterState({ select: ({ location }) => popupIn(location.search) === name })
  const [isShown, setShown] = useState(inUrl)
  if (inUrl && !isShown) setShown(true)
  // going back takes a moment: a second 閉じる in it must not go back further
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

/** For who opens a popup and does not show it: nothing is drawn anew. */
export function useOpenPopup(name: string): () => void {
  const { history } = useRouter()
  return () => {
    if (new URLSearchParams(history.location.search).get('popup') === name) return
    pushOver(history, hrefWith(history.location, 'popup', name), PUSHED)
  }
}

/** For what a popup is drawn with: whether it came with the address, and whether it has left it. */
export function usePopupPhase(): 'local' | 'open' | 'leaving' {
  const current = useRouterState({ select: ({ location }) => popupIn(location.search) })
  const [own] = useState(current)
  if (own === undefined) return 'local'
  return current === own ? 'open' : 'leaving'
}

const popupIn = (search: object): unknown => ('popup' in search ? search.popup : undefined)

/** The same address with a parameter set, or without it. */
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
