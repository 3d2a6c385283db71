/** The browser's Web Locks with their two modes, as far as a user's stores use them: in turn, shared ones together. */
interface Request {
  isShared: boolean
  start: () => void
  stolen: () => void
}

/** @returns the locks of all tabs of a browser */
export function sharedLocks(): LockManager {
  const held = new Map<string, Request[]>()
  const waiting = new Map<string, Request[]>()
  const of = (map: Map<string, Request[]>, name: string) => {
    const list = map.get(name) ?? []
    map.set(name, list)
    return list
  }
  const next = (name: string) => {
    const [holding, line] = [of(held, name), of(waiting, name)]
    for (let first = line[0]; first; first = line[0]) {
      if (holding.length > 0 && !(first.isShared && holding.every(({ isShared }) => isShared))) return
      line.shift()
      holding.push(first)
      first.start()
    }
  }
  const request = (name: string, options: LockOptions, run: (lock: object | null) => unknown) =>
    new Promise((resolve, reject) => {
      const [holding, line] = [of(held, name), of(waiting, name)]
      if (options.steal) for (const each of holding.splice(0)) each.stolen()
      if (options.ifAvailable && holding.length + line.length > 0)
        return void Promise.resolve(run(null)).then(resolve, reject)
      const own: Request = {
        isShared: options.mode === 'shared',
        stolen: () => reject(new DOMException('the lock was stolen', 'AbortError')),
        start: () =>
          void Promise.resolve(run({ name }))
            .then(resolve, reject)
            .finally(() => {
              if (holding.includes(own)) holding.splice(holding.indexOf(own), 1)
              next(name)
            }),
      }
      options.signal?.addEventListener('abort', () => {
        const place = line.indexOf(own)
        if (place < 0) return
        line.splice(place, 1)
        reject(options.signal?.reason as Error)
        next(name)
      })
      if (options.steal) line.unshift(own)
      else line.push(own)
      next(name)
    })
  return { request } as unknown as LockManager
}
