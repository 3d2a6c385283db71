/**
 * How long the app lets a person wait, as User Timing measures that any browser's tools show: from the touch (or key)
 * to what is on screen or on disk. Always on.
 *
 *     app:first-rows    navigation → first rows of the request list painted from the device
 *     app:operable      navigation → the app itself has drawn, over what stood there before it (decisions/speed)
 *     app:open-request  tap → request painted
 *     app:search        input → rows painted
 *     app:save          tap → durable
 *     sync:initial      sync started → the window read, and on the device (sync/runtime/measures)
 *     sync:round        a round began → its last page is read, where no page had to be tried again (the same)
 *     sync:replay       signal is back → what waited is sent (app/shell/replayed)
 *
 * They are kept on the device with web-vitals as field figures (`field-figures.ts`).
 */

type UserMeasure = 'app:first-rows' | 'app:operable' | 'app:open-request' | 'app:search' | 'app:save'

const FROM_NAVIGATION: readonly UserMeasure[] = ['app:first-rows', 'app:operable']

/** When the last click, input or key was, in the page's milliseconds; 0 is the navigation itself. */
let touchedAt = 0

/** Notes every click, input and key, before anything acts on it. */
export function watchTouches(target: EventTarget): void {
  const note = ({ timeStamp }: Event) => {
    touchedAt = timeStamp
  }
  for (const name of ['click', 'input', 'keydown'])
    target.addEventListener(name, note, { capture: true, passive: true })
}

/** When a write was last known to be on disk. */
let durableAt = 0

/** Notes that a write is on disk, before anybody is told of it. */
export function noteDurable(): void {
  durableAt = performance.now()
}

/** From the last touch until `end`. Only the latest of a name is kept: observers see each. */
function measure(name: UserMeasure, end = performance.now()): void {
  performance.clearMeasures(name)
  performance.measure(name, { start: FROM_NAVIGATION.includes(name) ? 0 : touchedAt, end })
}

/** A save is on disk: it was when its write was. */
export const measureSave = () => measure('app:save', durableAt > touchedAt ? durableAt : undefined)

/** Measures once what React has just put into the document is painted. @returns stops it */
export const measurePaint = (name: UserMeasure) => afterPaint(() => measure(name))

/** Runs once what React has just put into the document is painted. @returns stops it */
export function afterPaint(run: () => void): () => void {
  // a frame callback runs before the paint of its frame, a task after it; a message comes sooner than a timer
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

/** Nobody signs in, there are no requests, or the line is very weak. */
const NO_ROWS_MS = 30_000

/** Resolves once the first rows are painted, or were not for a while. */
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

/** The first rows since the page was opened; later ones are no start. */
export const measureFirstRows = () =>
  performance.getEntriesByName('app:first-rows').length > 0 ? undefined : measurePaint('app:first-rows')
