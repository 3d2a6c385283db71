/**
 * Waits until what was begun has ended. What a test then says did not happen is decided: it would have happened by now,
 * however slow the machine is.
 */

/** The one that no test holds up. */
const { setTimeout } = globalThis

/**
 * While fake-indexeddb, or React, has something to do, an immediate waits for its turn. WebCrypto is not seen: it works on
 * other threads, where the signature of a call takes far less than the quiet time, and the key of a password does not.
 */
const isBusy = () => process.getActiveResourcesInfo().includes('Immediate')

/** Until what was begun in this turn, and waits for nothing else, is done. */
export const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))

/**
 * Until nothing is being done any more, in memory and on the device.
 * @param timersMs what waits for a timer of so many milliseconds at most has had it, too: each quiet turn lets one of a
 *   millisecond ring, and timers ring in their order
 */
export async function atRest(timersMs = 60): Promise<void> {
  for (let quiet = 0; quiet < timersMs; quiet = isBusy() ? 0 : quiet + 1)
    await new Promise<void>((resolve) => void setTimeout(resolve, 1))
}
