import { useState } from 'react'
import { isSameJson } from '#lib/is-same.ts'

/** Returns the ids in the order of `stableOrder`. Shown ids stay in place while the screen is open. @param ids unique */
export function useStableOrder(ids: readonly string[]): readonly string[] {
  const [shown, setShown] = useState(ids)
  const order = stableOrder(shown, ids)
  if (!isSameJson(order, shown)) setShown(order)
  return order
}

/** Returns the ids in an order in which shown ids stay in place. A new id follows its predecessor in `ids`. */
export function stableOrder(shown: readonly string[], ids: readonly string[]): string[] {
  const order = shown.filter((id) => ids.includes(id))
  ids.forEach((id, index) => {
    if (!order.includes(id)) order.splice(order.indexOf(ids[index - 1] ?? '') + 1, 0, id)
  })
  return order
}
