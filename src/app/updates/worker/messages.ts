/** What a page asks the worker of a version that waits, and is answered (decisions/updates). */
export const STANDING = 'genba-standing'
export const MIGRATE = 'genba-migrate'

/** To MIGRATE. */
export type Migrated = { ok: true } | { ok: false; why: string }

/** @returns null where it did not answer in time: a worker that knows no such question */
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
