/** Locks within one page, with the limits of `lease.ts`: for Node, and browsers without Web Locks. */
import { beginLease, type TabLocks } from './lease.ts'

interface Turn {
  start: () => void
  /** Tells the holder that another has the lock now. */
  lose?: () => void
}

/** Who has each lock, first, and who waits for it. */
function turnQueues() {
  const queues = new Map<string, Turn[]>()
  const queueOf = (name: string) => {
    const queue = queues.get(name) ?? []
    queues.set(name, queue)
    return queue
  }
  return {
    enter(name: string, turn: Turn): void {
      const queue = queueOf(name)
      queue.push(turn)
      if (queue[0] === turn) turn.start()
    },
    leave(name: string, turn: Turn): void {
      const queue = queueOf(name)
      const place = queue.indexOf(turn)
      if (place < 0) return
      queue.splice(place, 1)
      if (place === 0) queue[0]?.start()
    },
    take(name: string, turn: Turn): void {
      const queue = queueOf(name)
      queue.shift()?.lose?.()
      queue.unshift(turn)
      turn.start()
    },
  }
}

export function pageLocks(limitMs: number): TabLocks {
  const { enter, leave, take } = turnQueues()
  return {
    request: (name, run, patience = 1) =>
      new Promise((resolve, reject) => {
        const limit = limitMs * patience
        const hold = async () => {
          // whoever waits goes on then, also where this one never ends
          const over = Number.isFinite(limit) ? setTimeout(() => leave(name, turn), limit) : undefined
          try {
            resolve(await run(beginLease(limit)))
          } catch (error) {
            reject(error)
          }
          clearTimeout(over)
          leave(name, turn)
        }
        const turn: Turn = { start: () => void hold() }
        enter(name, turn)
      }),

    lead: (name, run, { signal, steal = false }) =>
      new Promise((resolve, reject) => {
        const lost = new AbortController()
        const end = () => {
          leave(name, turn)
          resolve()
        }
        const turn: Turn = {
          start() {
            signal.removeEventListener('abort', end)
            run(lost.signal).then(end, reject)
          },
          lose: () => lost.abort(),
        }
        signal.addEventListener('abort', end)
        if (steal) take(name, turn)
        else enter(name, turn)
      }),
  }
}
