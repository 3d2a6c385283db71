/**
 * Repairs RxDB's internal queues of a replication (RULES trap 17). A checkpoint that a full device does not store
 * rejects these queues for good: nothing is pulled from then on, every try is an unhandled error, and the replication
 * never ends. Here each failure is reported, and the queue continues.
 */
type Queue = Promise<unknown>

/** The internal part of an `RxReplicationState` that this file depends on; undefined until the replication has started. */
export interface WithQueues {
  internalReplicationState?: { checkpointQueue: Queue; streamQueue: { up: Queue; down: Queue } } | undefined
}

/** Must be called before the replication starts. */
export function reviveQueues(replication: WithQueues, failed: (error: unknown) => void): void {
  const recovering = (queue: Queue) => queue.catch(failed)
  onAssigned(replication, 'internalReplicationState', (state) => {
    if (!state) return state
    onAssigned(state, 'checkpointQueue', recovering)
    onAssigned(state.streamQueue, 'up', recovering)
    onAssigned(state.streamQueue, 'down', recovering)
    return state
  })
}

/** Replaces a property's value with the result of `as`, now and at every later assignment. */
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
