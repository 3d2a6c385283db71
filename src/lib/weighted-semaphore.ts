/** So much at a time, the others wait in line: one that asks for more than all there is goes alone. */
export interface WeightedSemaphore {
  /** @returns gives it back; resolves when its turn has come */
  take(amount: number): Promise<() => void>
}

export function createWeightedSemaphore(total: number): WeightedSemaphore {
  let used = 0
  const line: { amount: number; go: () => void }[] = []
  const next = () => {
    const first = line[0]
    if (!first || (used > 0 && used + first.amount > total)) return
    line.shift()
    used += first.amount
    first.go()
    next()
  }
  return {
    take: (amount) =>
      new Promise((resolve) => {
        const back = () => {
          used -= amount
          next()
        }
        line.push({ amount, go: () => resolve(back) })
        next()
      }),
  }
}
