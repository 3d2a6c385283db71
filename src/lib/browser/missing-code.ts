/** Handles code that is not on the device, because the connection can drop during a first visit. */

const NAME = 'MissingCode'
const RETRY_MS = 5_000

/** Renames the error of missing code, for which the router would reload the page into the browser's error page. */
export function watchMissingCode(target: EventTarget): void {
  target.addEventListener('vite:preloadError', (event) => {
    const error: unknown = Reflect.get(event, 'payload')
    if (!(error instanceof Error)) return
    error.message = `not on this device: ${error.message}`
    error.name = NAME
  })
}

export const isMissingCode = (error: unknown): boolean => error instanceof Error && error.name === NAME

/** Loads code that the app needs, and tries until it succeeds. */
export async function loadUntilThere<T>(load: () => Promise<T>, wait = retryDelay): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      if (!isMissingCode(error)) throw error
      await wait()
    }
  }
}

const retryDelay = () => new Promise<void>((done) => void setTimeout(done, RETRY_MS))

/** Runs a loader once and shares its promise. The next call repeats a failed load. */
export function loadedOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = null
      throw error
    }))
}
