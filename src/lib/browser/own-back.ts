import type { RouterHistory } from '@tanstack/react-router'

/** Histories in which `goBack` has begun a step back that is not finished. */
const going = new WeakSet<RouterHistory>()

/** Goes back one step without calling the handlers of the phone's back button. */
export function goBack(history: RouterHistory): void {
  going.add(history)
  const unsubscribe = history.subscribe(() => {
    unsubscribe()
    going.delete(history)
  })
  history.back()
}

export const isOwnBack = (history: RouterHistory): boolean => going.has(history)
