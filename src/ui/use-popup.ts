import { type RouterHistory, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** Marks a history entry that `open` pushed, so that closing goes back over it. */
const PUSHED = { popup: 'popupPushed', photo: 'photoPushed' } as const

/** What of the address opens something over the screen: a popup, and over that a photo. */
type Param = keyof typeof PUSHED

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
  const inUrl = usePopupInUrl() === name
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
    open() {
      if (inAddress(history, 'popup') === name) return
      push(history, 'popup', name)
    },
    close() {
      if (closing.current || inAddress(history, 'popup') !== name) return
      closing.current = true
      leave(history, 'popup')
    },
  }
}

/** The photo in the URL (`?photo=key`), over a screen or a popup: closed as a popup is. `show` changes it in its place. */
export function usePhotoInUrl(): {
  key: string | undefined
  open: (key: string) => void
  show: (key: string) => void
  close: () => void
} {
  const { history } = useRouter()
  const key = useInUrl('photo')
  // as above: a second 閉じる does not go back further
  const closing = useRef(false)
  useEffect(() => {
    closing.current = false
  }, [key])
  return {
    key: typeof key === 'string' ? key : undefined,
    open: (photo) => push(history, 'photo', photo),
    show: (photo) => history.replace(hrefWith(history.location, 'photo', photo), history.location.state),
    close() {
      if (closing.current || inAddress(history, 'photo') === null) return
      closing.current = true
      leave(history, 'photo')
    },
  }
}

const inAddress = (history: RouterHistory, param: Param) =>
  new URLSearchParams(history.location.search).get(param)

const push = (history: RouterHistory, param: Param, value: string) =>
  history.push(hrefWith(history.location, param, value), { [PUSHED[param]]: true })

/** Over what was pushed, or out of the address it came with. */
function leave(history: RouterHistory, param: Param) {
  if (PUSHED[param] in history.location.state) history.back()
  else history.replace(hrefWith(history.location, param, null))
}

/** For what a popup is drawn with: whether it came with the address, and whether it has left it. */
export function usePopupPhase(): 'local' | 'open' | 'leaving' {
  const current = usePopupInUrl()
  const [own] = useState(current)
  if (own === undefined) return 'local'
  return current === own ? 'open' : 'leaving'
}

const usePopupInUrl = () => useInUrl('popup')

const useInUrl = (param: Param): unknown =>
  useRouterState({ select: ({ location }) => (location.search as Record<string, unknown>)[param] })

function hrefWith(
  { pathname, search }: { pathname: string; search: string },
  param: Param,
  value: string | null,
): string {
  const params = new URLSearchParams(search)
  params.delete(param)
  if (value !== null) params.set(param, value)
  const query = params.toString()
  return query === '' ? pathname : `${pathname}?${query}`
}
