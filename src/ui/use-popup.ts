import { useRouter, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'

/** Marks a history entry that `open` pushed, so that closing goes back over it. */
const PUSHED = 'popupPushed'

/**
 * A popup in the URL (`?popup=name`): the phone's back button closes it, and a reload keeps it.
 * Opening pushes; closing goes back over what was pushed, or takes the parameter away where it came with the link.
 */
export function usePopup(name: string): { isOpen: boolean; open: () => void; close: () => void } {
  const { history } = useRouter()
  const inUrl = useRouterState({ select: ({ location }) => popupIn(location.search) === name })
  // going back takes a moment, and a sheet that has left must not come up again in it
  const [closing, setClosing] = useState(false)
  if (closing && !inUrl) setClosing(false)
  return {
    isOpen: inUrl && !closing,
    open() {
      if (new URLSearchParams(history.location.search).get('popup') === name) return
      history.push(hrefWith(history.location, name), { [PUSHED]: true })
    },
    close() {
      setClosing(true)
      if (PUSHED in history.location.state) history.back()
      else history.replace(hrefWith(history.location, null))
    },
  }
}

const popupIn = (search: object): unknown => ('popup' in search ? search.popup : undefined)

function hrefWith({ pathname, search }: { pathname: string; search: string }, popup: string | null): string {
  const params = new URLSearchParams(search)
  params.delete('popup')
  if (popup !== null) params.set('popup', popup)
  const query = params.toString()
  return query === '' ? pathname : `${pathname}?${query}`
}
