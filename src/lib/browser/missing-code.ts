/** Code that is not on this device: on a first visit a signal may be lost before all of the app was fetched. */

const NAME = 'MissingCode'
const ASK_AGAIN_AFTER_MS = 5_000

/**
 * The router loads the page anew for code that it has not got, which it knows by the error's text. Without a signal only
 * the browser's own error page would be left: such an error gets a text and a name of its own, and a screen says what it is.
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

/** For what no screen can stand in for: it is asked for until it is there. @param wait until it may be */
export async function loadUntilThere<T>(load: () => Promise<T>, wait = aWhile): Promise<T> {
  for (;;) {
    try {
      return await load()
    } catch (error) {
      if (!isMissingCode(error)) throw error
      await wait()
    }
  }
}

const aWhile = () => new Promise<void>((done) => void setTimeout(done, ASK_AGAIN_AFTER_MS))
