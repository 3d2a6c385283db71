import type { HistoryLocation, RouterHistory } from '@tanstack/react-router'

/** Key in the history state of an overlay. It names the entry of the screen below, whose scroll position applies. */
const OVER = 'placeOf'

/**
 * Pushes an overlay into the URL; the page below does not scroll.
 * @param mark set in the entry's state, so that closing goes back over it
 */
export function pushOver(history: RouterHistory, path: string, mark: string): void {
  pushOnce(history, path, { [mark]: true, [OVER]: placeKey(history.location) })
}

/** Key for the router's `getScrollRestorationKey`. Entries with the same key share one scroll position. */
export function placeKey({ state, href }: Pick<HistoryLocation, 'state' | 'href'>): string {
  const over: unknown = Reflect.get(state, OVER)
  return typeof over === 'string' ? over : (state.__TSR_key ?? href)
}

/**
 * Pushes a path once. A second tap before the next screen renders would push it twice, and the save of that form would
 * then return to an empty copy of the form. The router's own links already do this.
 */
export function pushOnce(history: RouterHistory, path: string, state?: object): void {
  if (history.location.href !== path) history.push(path, state)
}
