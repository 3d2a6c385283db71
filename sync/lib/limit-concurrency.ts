/** Lets at most `limit` runs go at once; the others wait their turn, first come first served. */
export function limitConcurrency(limit: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (run) => {
    if (running < limit) running += 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      // the place is handed on, not given up and taken again
      if (next) next()
      else running -= 1
    }
  }
}
