/**
 * Handles code that is not on this device: on a first visit the connection may drop before all of the app is fetched.
 */

const NAME = 'MissingCode'
const RETRY_MS = 5_000

/**
 * Renames the error for missing code. The router recognises its original text and reloads the page, which without a
 * connection leaves only the browser's error page. With the new name, an error screen explains it.
 */
export function watchMissingCode(target: EventTarget): void {
  target.addEventListener('vite:preloadError', (event) => {
    const error: unknown = Reflect.get(event, 'payload')
    if (!(error instanceof Error)) return
    error.message = `not on this device: ${error.message}`
    error.name = NAME
  })
}

export const isMissingCode = (error: unknown): boolean => error instanceof Error && error.name === NAME

/**
 * Loads code that the app cannot do without, repeating until it succeeds.
 * @param wait resolves when the next attempt may start
 */
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
