/**
 * Measures how long the user waits, from a touch or key to the result on screen or on disk. Browser tools show these
 * User Timing measures:
 *
 *     app:first-rows    navigation → first rows of the request list painted from the device's data
 *     app:operable      navigation → the app has replaced the static first screen (decisions/speed)
 *     app:open-request  tap → request painted
 *     app:search        input → rows painted
 *     app:save          tap → the save is on disk
 *     sync:initial      sync started → the requests of all synced days are stored (sync/runtime/start-pulls)
 *     sync:round        read of outdated lists started → all pages read without a retry (sync/runtime/start-pulls)
 *     sync:replay       connection restored → the queue is sent (app/shell/user-notifications)
 *
 * The device stores the measures and web-vitals as field figures (`field-figures.ts`).
 */

type UserMeasure = 'app:first-rows' | 'app:operable' | 'app:open-request' | 'app:search' | 'app:save'

/** True for measures that begin at the navigation. The other measures `app:…` begin at a touch or key. */
export const isFromNavigation = (name: string): boolean =>
  name === 'app:first-rows' || name === 'app:operable'

let touchedAt = 0

/** Records the time of each click, input and key before other handlers run. */
export function watchTouches(target: EventTarget): void {
  const note = ({ timeStamp }: Event) => {
    touchedAt = timeStamp
  }
  for (const name of ['click', 'input', 'keydown'])
    target.addEventListener(name, note, { capture: true, passive: true })
}

let durableAt = 0

/** Must be called when a write is on disk, before the write's subscribers are notified. */
export function noteDurable(): void {
  durableAt = performance.now()
}

/** Measures from the last touch or the navigation. The buffer keeps the newest measure; observers get all. */
function measure(name: UserMeasure, end = performance.now()): void {
  performance.clearMeasures(name)
  performance.measure(name, { start: isFromNavigation(name) ? 0 : touchedAt, end })
}

/** Measures a save until its write is on disk. */
export const measureSave = () => measure('app:save', durableAt > touchedAt ? durableAt : undefined)
/** Measures until the current React update is painted. @returns cancels the measurement */
export const measurePaint = (name: UserMeasure) => afterPaint(() => measure(name))

/** Calls a function after the current React update is painted. @returns cancels the call */
export function afterPaint(run: () => void): () => void {
  // A frame callback runs before the paint, and the task that it starts runs after. A message is faster than a timer.
  const { port1, port2 } = new MessageChannel()
  const stop = () => port1.close()
  port1.addEventListener('message', () => {
    stop()
    run()
  })
  port1.start()
  const frame = requestAnimationFrame(() => port2.postMessage(null))
  return () => {
    cancelAnimationFrame(frame)
    stop()
  }
}

/** Maximum wait in ms for the first rows. Without a login, requests or a connection there are none. */
const NO_ROWS_MS = 30_000

/** Resolves when the first rows are painted, or after NO_ROWS_MS. */
export const firstRowsPainted = (): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      observer.disconnect()
      resolve()
    }
    const observer = new PerformanceObserver((list) => {
      if (list.getEntriesByName('app:first-rows').length > 0) end()
    })
    observer.observe({ type: 'measure', buffered: true })
    setTimeout(end, NO_ROWS_MS)
  })

/** Measures the first rows of the page. Later calls do nothing. */
export const measureFirstRows = () =>
  performance.getEntriesByName('app:first-rows').length > 0 ? undefined : measurePaint('app:first-rows')

/** The longest wait without a word to the user; even a slow phone normally answers sooner (sync RULES SV1). */
export const LONG_WAIT_MS = 10_000
