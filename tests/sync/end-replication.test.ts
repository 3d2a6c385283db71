/** A replication ends whatever a full device has left of it (RULES trap 17). */
import { expect, test, vi } from 'vitest'
import { endReplication } from '#sync/queue/push.ts'

test('[ST4][trap 17] queues that a full device has left rejected do not keep a replication from ending', async () => {
  const full = () => {
    const rejected = Promise.reject(new DOMException('no room', 'QuotaExceededError'))
    rejected.catch(() => undefined)
    return rejected
  }
  const state = { checkpointQueue: full(), streamQueue: { up: full(), down: full() } }
  // as RxDB does it: it waits for all of them
  const cancel = vi.fn<() => Promise<void>>(async () => {
    await Promise.all([state.checkpointQueue, state.streamQueue.up, state.streamQueue.down])
  })
  await endReplication({ internalReplicationState: state, cancel } as never)
  expect(cancel).toHaveBeenCalledTimes(1)
})
