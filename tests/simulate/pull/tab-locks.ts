/** Web Locks of one phone, as its pages have them: in turn, until aborted, taken away; a page that is gone holds none. */
export interface LockOwner {
  name: string
  isAlive(): boolean
  /** Resolves once the page runs. */
  thawed(): Promise<void>
}

interface Turn {
  owner: LockOwner
  isHolding: boolean
  run: () => void
  /** Ends its promise; what runs under it goes on. */
  end: (reason: unknown) => void
}

const abortion = (text: string) => new DOMException(text, 'AbortError')

export class TabLocks {
  private readonly queues = new Map<string, Turn[]>()

  private queueOf(name: string): Turn[] {
    const queue = this.queues.get(name) ?? []
    this.queues.set(name, queue)
    return queue
  }

  private next(name: string): void {
    const queue = this.queueOf(name)
    while (queue[0] && !queue[0].owner.isAlive()) queue.shift()
    const [first] = queue
    if (!first || first.isHolding) return
    first.isHolding = true
    first.run()
  }

  private leave(name: string, turn: Turn): void {
    const queue = this.queueOf(name)
    const place = queue.indexOf(turn)
    if (place >= 0) queue.splice(place, 1)
    this.next(name)
  }

  /** A page is gone. */
  left(): void {
    for (const name of this.queues.keys()) this.next(name)
  }

  private request(
    owner: LockOwner,
    name: string,
    options: LockOptions,
    run: (lock?: null) => Promise<unknown>,
  ) {
    const { signal, steal, ifAvailable } = options
    return new Promise<unknown>((resolve, reject) => {
      const aborted = () => {
        this.leave(name, turn)
        reject(abortion('the request was aborted'))
      }
      const turn: Turn = {
        owner,
        isHolding: false,
        run: () => {
          signal?.removeEventListener('abort', aborted)
          void owner
            .thawed()
            .then(() => run())
            .then(resolve, reject)
            .finally(() => this.leave(name, turn))
        },
        end: reject,
      }
      if (signal?.aborted) return reject(abortion('aborted before'))
      signal?.addEventListener('abort', aborted)
      const queue = this.queueOf(name)
      if (ifAvailable && queue.some((other) => other.owner.isAlive()))
        return void Promise.resolve(run(null)).then(resolve, reject)
      if (steal) {
        queue.shift()?.end(abortion('the lock was stolen'))
        queue.unshift(turn)
      } else queue.push(turn)
      this.next(name)
    })
  }

  /** As one page has them. */
  of(owner: LockOwner): LockManager {
    const locks = {
      request: (name: string, options: LockOptions, run: (lock?: null) => Promise<unknown>) =>
        this.request(owner, name, options, run),
      query: async () => ({
        held: [...this.queues].flatMap(([name, [first]]) =>
          first?.isHolding ? [{ name, mode: 'exclusive' as const, clientId: first.owner.name }] : [],
        ),
      }),
    }
    // it is called in these two ways only
    return locks as unknown as LockManager
  }
}
