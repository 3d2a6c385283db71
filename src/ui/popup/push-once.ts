import type { HistoryLocation, RouterHistory } from '@tanstack/react-router'

/** In the state of what lies over a screen: the entry of the screen, at whose place the page stays. */
const OVER = 'placeOf'

/**
 * What is shown over a screen, in the address: the page under it stays where it is.
 * @param mark in the entry's state, so that closing goes back over it
 */
export function pushOver(history: RouterHistory, path: string, mark: string): void {
  pushOnce(history, path, { [mark]: true, [OVER]: placeKey(history.location) })
}

/** For the router's `getScrollRestorationKey`: entries of one key have one place of the page. */
export function placeKey({ state, href }: Pick<HistoryLocation, 'state' | 'href'>): string {
  const over: unknown = Reflect.get(state, OVER)
  return typeof over === 'string' ? over : (state.__TSR_key ?? href)
}

/**
 * Goes on to a path, once. A second tap before the next screen stands would put it into history a second time: the save of
 * its form leads back to where it was opened from, which would be the same form, empty. The router's own links go once.
 */
export function pushOnce(history: RouterHistory, path: string, state?: object): void {
  if (history.location.href !== path) history.push(path, state)
}
