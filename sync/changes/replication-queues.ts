/**
 * RxDB's own queues of a replication (RULES trap 17). What a full device does not write of its checkpoints leaves them
 * rejected for good: from then on nothing is pulled, each try is an error that nobody catches, and the replication never
 * ends. Here each failure is told, and the queue goes on.
 */
type Queue = Promise<unknown>

/** What of an `RxReplicationState` is leaned on; its state is there once it has started. */
export interface WithQueues {
  internalReplicationState?: { checkpointQueue: Queue; streamQueue: { up: Queue; down: Queue } } | undefined
}

/** To be called before the replication starts. */
export function reviveQueues(replication: WithQueues, failed: (error: unknown) => void): void {
  const going = (queue: Queue) => queue.catch(failed)
  onAssigned(replication, 'internalReplicationState', (state) => {
    if (!state) return state
    onAssigned(state, 'checkpointQueue', going)
    onAssigned(state.streamQueue, 'up', going)
    onAssigned(state.streamQueue, 'down', going)
    return state
  })
}

/** Now, and whenever it is assigned anew, a property becomes what `as` makes of it. */
function onAssigned<T extends object, K extends keyof T>(target: T, key: K, as: (value: T[K]) => T[K]): void {
  let current = as(target[key])
  Object.defineProperty(target, key, {
    configurable: true,
    enumerable: true,
    get: () => current,
    set(next: T[K]) {
      current = as(next)
    },
  })
}
