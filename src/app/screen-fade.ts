import type { AnyRouter } from '@tanstack/react-router'

/**
 * What the browser may take to keep the picture of the screen that is left: two frames. Where it takes longer the device is
 * slow or busy, and screens change without a fade from then on: no fade is worth a tap that is answered later.
 */
const CAPTURE_MS = 34

/** So long at most the page is held still for the next screen to be drawn; one that takes longer comes without a fade. */
const HOLD_MS = 100

/** On the root element from when the next screen is drawn: it is no part of the picture, and takes presses. */
const ARRIVING = 'arriving'

/** Whoever wants less motion gets none. */
const MOTION = '(prefers-reduced-motion: no-preference)'

/**
 * The screen that is left fades out over the next one, which answers from its first frame (decision 0119). Not where the
 * browser has no view transitions, no motion is wanted, or only the rest of the address changes (popups, conditions).
 */
export function fadeScreens(router: AnyRouter, { document, matchMedia, performance }: Window): void {
  const root = document.documentElement
  let isQuick = 'startViewTransition' in document
  let current: ViewTransition | null = null
  router.startViewTransition = async (draw) => {
    // two at once would hold the page twice
    current?.skipTransition()
    if (!isQuick || !isOtherScreen(router) || !matchMedia(MOTION).matches) return draw()
    delete root.dataset[ARRIVING]
    const asked = performance.now()
    const fade = document.startViewTransition(() => {
      isQuick = performance.now() - asked <= CAPTURE_MS
      if (!isQuick) fade.skipTransition()
      root.dataset[ARRIVING] = ''
      return draw()
    })
    current = fade
    const timer = setTimeout(() => fade.skipTransition(), HOLD_MS)
    const stands = () => clearTimeout(timer)
    // a skipped one is told as a failure
    fade.ready.then(stands, stands)
    const ended = () => {
      if (current !== fade) return
      current = null
      delete root.dataset[ARRIVING]
    }
    fade.finished.then(ended, ended)
    return fade.updateCallbackDone
  }
}

/** Not at the start either: nothing stands yet. */
function isOtherScreen({ latestLocation, stores }: AnyRouter): boolean {
  const left = stores.resolvedLocation.get()
  return left !== undefined && left.pathname !== latestLocation.pathname
}
