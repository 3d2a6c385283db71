export interface Debounced {
  /** Schedules a run and restarts the delay. */
  soon(): void
  /** Runs at once if a run is scheduled. */
  now(): void
  /** Cancels a scheduled run. */
  cancel(): void
}

/** @param ms delay after the last `soon` */
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
