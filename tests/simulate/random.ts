/** Where every chance of a run comes from: numbers that follow from the seed alone. */
export type Random = () => number

/** mulberry32: 0 ≤ number < 1. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    return mixed(state)
  }
}

/** A number for a place in a run, so that leaving out one event of a plan does not shift the chances of all others. */
export const chanceAt = (seed: number, stream: number, index: number): number =>
  mixed(
    (Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b) ^ Math.imul(index + 1, 0xc2b2ae35)) >>>
      0,
  )

function mixed(state: number): number {
  let t = Math.imul(state ^ (state >>> 15), 1 | state)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}

export const pickOf = <T>(list: readonly T[], chance: number): T | undefined =>
  list[Math.floor(chance * list.length)]

export const int = (random: Random, from: number, to: number) => from + Math.floor(random() * (to - from + 1))
export const oneOf = <T>(random: Random, list: readonly [T, ...T[]]): T => pickOf(list, random()) ?? list[0]

/** One of a list, by the weight of each. */
export function weighed<T>(random: Random, list: readonly [T, number][]): T {
  let at = random() * list.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [what, weight] of list) if ((at -= weight) < 0) return what
  return list[0]?.[0] as T
}
