import type { HistoryLocation, RouterHistory } from '@tanstack/react-router'

/** Key in the history state of an overlay. Its value identifies the screen below, whose scroll position applies. */
const SCREEN_BELOW = 'placeOf'

/**
 * Pushes the URL of an overlay. The page below does not scroll.
 * @param mark key in the entry's state that marks it as pushed, so that closing it goes back
 */
export function pushOver(history: RouterHistory, path: string, mark: string): void {
  pushOnce(history, path, { [mark]: true, [SCREEN_BELOW]: placeKey(history.location) })
}

/** Key for the router's `getScrollRestorationKey`. Entries with the same key share one scroll position. */
export function placeKey({ state, href }: Pick<HistoryLocation, 'state' | 'href'>): string {
  const below: unknown = Reflect.get(state, SCREEN_BELOW)
  return typeof below === 'string' ? below : (state.__TSR_key ?? href)
}

/**
 * Pushes a path once. A second tap before the next screen renders would push it twice, and the save of that form would
 * then return to an empty copy of the form. The router's own links already do this.
 */
export function pushOnce(history: RouterHistory, path: string, state?: object): void {
  if (history.location.href !== path) history.push(path, state)
}
