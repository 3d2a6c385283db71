/** At most `total` is in use at a time, first come first served; whoever asks for more than `total` goes alone. */
interface WeightedSemaphore {
  /** Resolves when the amount is free. @returns gives it back */
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
