import { useState } from 'react'
import { isSame } from '#lib/is-same.ts'

/**
 * The order in which ids are shown: those seen before stay where they are, a new one follows its predecessor.
 * @param ids without doubles
 */
export function useStableOrder(ids: readonly string[]): readonly string[] {
  const [shown, setShown] = useState(ids)
  const order = stableOrder(shown, ids)
  if (!isSame(order, shown)) setShown(order)
  return order
}

/** Pure. */
export function stableOrder(shown: readonly string[], ids: readonly string[]): string[] {
  const order = shown.filter((id) => ids.includes(id))
  ids.forEach((id, at) => {
    if (!order.includes(id)) order.splice(order.indexOf(ids[at - 1] ?? '') + 1, 0, id)
  })
  return order
}
