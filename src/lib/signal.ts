/** A promise together with the function that resolves it. */
export interface Signal<T = void> {
  resolve(value: T): void
  done: Promise<T>
}

export function signal<T = void>(): Signal<T> {
  let resolve: (value: T) => void = () => undefined
  const done = new Promise<T>((settle) => (resolve = settle))
  return { resolve, done }
}
