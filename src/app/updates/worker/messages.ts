/** Messages between a page and the worker of a waiting version (decisions/updates). */
export const CHECK_LAYOUT = 'genba-layout'
export const MIGRATE = 'genba-migrate'

export type Migrated = { ok: true } | { ok: false; why: string }

/** @returns the answer; null if none arrives in time, for example because an older worker does not know the message */
export function askWorker(worker: ServiceWorker, type: string, timeoutMs: number): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    const end = (answer: unknown) => {
      clearTimeout(timer)
      port1.close()
      resolve(answer)
    }
    const timer = setTimeout(() => end(null), timeoutMs)
    port1.addEventListener('message', ({ data }) => end(data))
    port1.start()
    worker.postMessage({ type }, [port2])
  })
}
