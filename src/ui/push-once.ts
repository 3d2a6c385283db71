import type { RouterHistory } from '@tanstack/react-router'

/**
 * Goes on to a path, once. A second tap before the next screen stands would put it into history a second time: the save of
 * its form leads back to where it was opened from, which would be the same form, empty. The router's own links go once.
 */
export function pushOnce(history: RouterHistory, path: string, state?: object): void {
  if (history.location.href !== path) history.push(path, state)
}
