import type { RouterHistory } from '@tanstack/react-router'

const going = new WeakSet<RouterHistory>()

/** The app itself goes one step back: what stands in the way of the phone's back button lets it through. */
export function goBack(history: RouterHistory): void {
  going.add(history)
  const unsubscribe = history.subscribe(() => {
    unsubscribe()
    going.delete(history)
  })
  history.back()
}

/** Whether the step back that is on its way is the app's own. */
export const isOwnBack = (history: RouterHistory): boolean => going.has(history)
