/** A promise that others await, and the function that resolves it. */
export interface Signal {
  resolve(): void
  done: Promise<void>
}

export function signal(): Signal {
  let resolve = () => undefined as void
  const done = new Promise<void>((settle) => (resolve = settle))
  return { resolve, done }
}
