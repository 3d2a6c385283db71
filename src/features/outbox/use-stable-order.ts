import { useState } from 'react'
import { isSameJson } from '#lib/is-same.ts'

/**
 * Returns the display order of ids: known ids stay in place, and a new one follows its predecessor.
 * @param ids unique
 */
export function useStableOrder(ids: readonly string[]): readonly string[] {
  const [shown, setShown] = useState(ids)
  const order = stableOrder(shown, ids)
  if (!isSameJson(order, shown)) setShown(order)
  return order
}

export function stableOrder(shown: readonly string[], ids: readonly string[]): string[] {
  const order = shown.filter((id) => ids.includes(id))
  ids.forEach((id, at) => {
    if (!order.includes(id)) order.splice(order.indexOf(ids[at - 1] ?? '') + 1, 0, id)
  })
  return order
}
