/** The browser's Web Locks, as far as the sync module uses them: in turn, until aborted, taken away. */
interface Turn {
  clientId: string
  start: () => void
  /** Ends its promise; what runs under it goes on. */
  end: (reason: unknown) => void
}

/** The locks of all tabs. @returns them as one tab has them */
export function browserLocks(): (clientId: string) => LockManager {
  const queues = new Map<string, Turn[]>()

  const leave = (name: string, turn: Turn) => {
    const queue = queues.get(name) ?? []
    const place = queue.indexOf(turn)
    if (place >= 0) queue.splice(place, 1)
    if (place === 0) queue[0]?.start()
  }
  const request = <T>(
    clientId: string,
    name: string,
    { signal, steal }: LockOptions,
    run: () => Promise<T>,
  ): Promise<T> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(name) ?? []
      queues.set(name, queue)
      const aborted = () => {
        leave(name, turn)
        reject(new DOMException('the request was aborted', 'AbortError'))
      }
      const turn: Turn = {
        clientId,
        start() {
          signal?.removeEventListener('abort', aborted)
          void run()
            .then(resolve, reject)
            .finally(() => leave(name, turn))
        },
        end: reject,
      }
      signal?.addEventListener('abort', aborted)
      if (steal) {
        queue.shift()?.end(new DOMException('the lock was stolen', 'AbortError'))
        queue.unshift(turn)
      } else queue.push(turn)
      if (queue[0] === turn) turn.start()
    })

  return (clientId) =>
    ({
      request: (name: string, options: LockOptions, run: () => Promise<unknown>) =>
        request(clientId, name, options, run),
      query: async () => ({
        held: [...queues].flatMap(([name, [holder]]) =>
          holder ? [{ name, mode: 'exclusive' as const, clientId: holder.clientId }] : [],
        ),
      }),
    }) as unknown as LockManager
}
