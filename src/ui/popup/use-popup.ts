import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { goBack } from '#lib/browser/own-back.ts'
import { pushOver } from '#ui/controls/path-link.tsx'

/** Keys that `open` sets in the state of the history entry it pushes. Closing such an entry goes back. */
const PUSHED = { popup: 'popupPushed', photo: 'photoPushed', marks: 'marksPushed', sheet: 'sheetPushed' }
/** Time in ms for which a popup stays mounted after it has left the URL, for its closing animation (spec 9). */
export const REMOVAL_MS = 150

/**
 * A popup in the URL (`?popup=name`). The phone's back button closes it, and a reload preserves it. 閉じる, Escape and a
 * save also close it by going back:
 *
 *     open ── push ──→ in the URL ── back, close ──→ closing, 150 ms ──→ unmounted
 *
 * Another screen has no such parameter, so navigating closes the popup, and going back shows it again.
 */
export function usePopup(name: string): { isOpen: boolean; open: () => void; close: () => void } {
  // Selects a boolean, so that other popups do not re-render this component.
  const inUrl = useRouterState({ select: ({ location }) => valueIn(location.search, 'popup') === name })
  const [isShown, setShown] = useState(inUrl)
  if (inUrl && !isShown) setShown(true)
  useEffect(() => {
    if (inUrl) return undefined
    const timer = setTimeout(() => setShown(false), REMOVAL_MS)
    return () => clearTimeout(timer)
  }, [inUrl])
  return { isOpen: isShown, open: useOpenPopup(name), close: useClose('popup', inUrl, name) }
}

/** Returns a function that opens a popup. Opening and closing it do not re-render the caller. */
export function useOpenPopup(name: string): () => void {
  const { history } = useRouter()
  return () => {
    if (new URLSearchParams(history.location.search).get('popup') === name) return
    pushOver(history, hrefWith(history.location, 'popup', name), PUSHED.popup)
  }
}

/** The surrounding popup's phase: `local` if not in the URL, `open`, or `leaving` after it has left the URL. */
export function usePopupPhase(): 'local' | 'open' | 'leaving' {
  const current = useRouterState({ select: ({ location }) => valueIn(location.search, 'popup') })
  // The popup that was in the URL when the component mounted is the one around it.
  const [own] = useState(current)
  if (own === undefined) return 'local'
  return current === own ? 'open' : 'leaving'
}

/** A popup opened by `useOpenPopup`. Opening and closing it do not re-render the screen below. */
export function Popup({ name, children }: { name: string; children: (close: () => void) => ReactNode }) {
  const { isOpen, close } = usePopup(name)
  return isOpen && children(close)
}

/**
 * A full-screen overlay in the URL. It opens and closes like a popup, but has its own parameter, so that the popup below
 * stays open. `show` replaces the current photo.
 *
 *     ?photo=key   the photo viewer
 *     ?marks=key   黒板・書き込み on a photo
 *     ?sheet=name  a form such as KY活動表, which the app adds to the photos as a picture
 */
export function useOverlayInUrl(param: Exclude<keyof typeof PUSHED, 'popup'> = 'photo') {
  const { history } = useRouter()
  const key = useRouterState({ select: ({ location }) => valueIn(location.search, param) })
  const href = (photo: string) => hrefWith(history.location, param, photo)
  return {
    key,
    open: (photo: string) => pushOver(history, href(photo), PUSHED[param]),
    show: (photo: string) => history.replace(href(photo), history.location.state),
    close: useClose(param, key),
  }
}

/** Returns a function that goes back, or removes the parameter. @param name the value to close; default any */
function useClose(param: keyof typeof PUSHED, inUrl: unknown, name?: string): () => void {
  const { history } = useRouter()
  // Going back is asynchronous, so a second press on 閉じる must not go back again.
  const closing = useRef(false)
  useEffect(() => {
    closing.current = false
  }, [inUrl])
  return () => {
    const value = new URLSearchParams(history.location.search).get(param)
    if (closing.current || value === null || (name ?? value) !== value) return
    closing.current = true
    if (PUSHED[param] in history.location.state) goBack(history)
    else history.replace(hrefWith(history.location, param, null))
  }
}

function valueIn(search: object, param: string): string | undefined {
  const value: unknown = Reflect.get(search, param)
  return typeof value === 'string' ? value : undefined
}

function hrefWith(
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
