import type { HistoryLocation, RouterHistory } from '@tanstack/react-router'

/**
 * Key in the state of the history entry of an overlay, such as a popup. The value names the screen below the overlay,
 * so that both share one scroll position.
 */
const SCREEN_BELOW = 'placeOf'

/**
 * Pushes the URL of an overlay without scrolling the page below.
 * @param mark key in the entry's state that marks the entry as pushed, so that closing the overlay goes back
 */
export function pushOver(history: RouterHistory, path: string, mark: string): void {
  pushOnce(history, path, { [mark]: true, [SCREEN_BELOW]: placeKey(history.location) })
}

/** Returns the key for the router's `getScrollRestorationKey`. Entries with equal keys share one scroll position. */
export function placeKey({ state, href }: Pick<HistoryLocation, 'state' | 'href'>): string {
  const below: unknown = Reflect.get(state, SCREEN_BELOW)
  return typeof below === 'string' ? below : (state.__TSR_key ?? href)
}

/**
 * Pushes a path once. A second tap before the next screen renders would push it twice, and a save in the form would
 * then return to an empty copy of the form. The router's own links already guard against this.
 */
export function pushOnce(history: RouterHistory, path: string, state?: object): void {
  if (history.location.href !== path) history.push(path, state)
}
