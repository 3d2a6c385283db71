/** The app's scripts by their addresses, and how one is asked for before it is wanted. */

export const CODE_FILE = /^\/assets\/[\w.-]+\.js$/
/** A start has some thirty, and what stands between the login and the list some fifty. */
export const MOST_FILES = 100

/** @param how `modulepreload`, or `preload` as a script */
export const linkTo = (href: string, how: Partial<HTMLLinkElement>): HTMLLinkElement =>
  Object.assign(document.createElement('link'), { crossOrigin: '', href, ...how })
