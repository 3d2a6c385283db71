import { useState } from 'react'
import { isSameJson } from '#lib/browser/stored-json.ts'

/**
 * Returns ids in an order that does not move those already shown while the screen is open (`stableOrder`).
 * @param ids unique
 */
export function useStableOrder(ids: readonly string[]): readonly string[] {
  const [shown, setShown] = useState(ids)
  const order = stableOrder(shown, ids)
  if (!isSameJson(order, shown)) setShown(order)
  return order
}

/** Returns `ids` in the order of `shown`. Each id that is not shown yet follows the id before it in `ids`. */
export function stableOrder(shown: readonly string[], ids: readonly string[]): string[] {
  const order = shown.filter((id) => ids.includes(id))
  ids.forEach((id, index) => {
    if (!order.includes(id)) order.splice(order.indexOf(ids[index - 1] ?? '') + 1, 0, id)
  })
  return order
}
