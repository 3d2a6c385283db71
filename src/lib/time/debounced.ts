export interface Debounced {
  /** Runs it after the time, which begins anew with each call. */
  soon(): void
  /** Runs it at once where it was to run. */
  now(): void
  /** It does not run. */
  cancel(): void
}

/** @param ms after the last `soon` */
export function debounced(run: () => void, ms: number): Debounced {
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const now = () => {
    if (timer === undefined) return
    cancel()
    run()
  }
  return {
    soon() {
      cancel()
      timer = setTimeout(now, ms)
    },
    now,
    cancel,
  }
}
