import { useRouter, useRouterState } from '@tanstack/react-router'

/** Marks a history entry that `open` pushed, so that closing goes back over it. */
const PUSHED = 'popupPushed'

/**
 * A popup in the URL (`?popup=name`): the phone's back button closes it, and a reload keeps it.
 * Opening pushes; closing goes back over what was pushed, or takes the parameter away where it came with the link.
 */
export function usePopup(name: string): { isOpen: boolean; open: () => void; close: () => void } {
  const { history } = useRouter()
  const isOpen = useRouterState({ select: ({ location }) => popupIn(location.search) === name })
  return {
    isOpen,
    open() {
      if (popupIn(Object.fromEntries(new URLSearchParams(history.location.search))) === name) return
      history.push(hrefWith(history.location, name), { [PUSHED]: true })
    },
    close() {
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
