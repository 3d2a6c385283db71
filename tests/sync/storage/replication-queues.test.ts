/** A replication goes on, and ends, whatever a full device has left of its queues (RULES trap 17). */
import { expect, test } from 'vitest'
import { reviveQueues, type WithQueues } from '#sync/changes/replications.ts'

const none = Promise.resolve()
const full = () => Promise.reject(new DOMException('no room', 'QuotaExceededError'))

test('[ST4][trap 17] a queue that a full device has rejected is told once, goes on, and does not keep a replication from ending', async () => {
  const told: unknown[] = []
  const replication: WithQueues = {}
  reviveQueues(replication, (error) => told.push(error))
  const state = { checkpointQueue: none, streamQueue: { up: none, down: none } }
  // RxDB assigns all of them anew, the state when it starts and a queue with each task
  replication.internalReplicationState = state
  state.checkpointQueue = state.checkpointQueue.then(full)
  state.streamQueue.down = state.streamQueue.down.then(full)
  state.streamQueue.up = state.streamQueue.up.then(full)
  const done: string[] = []
  state.checkpointQueue = state.checkpointQueue.then(() => void done.push('checkpoint'))
  state.streamQueue.down = state.streamQueue.down.then(() => void done.push('down'))
  state.streamQueue.up = state.streamQueue.up.then(() => void done.push('up'))
  await Promise.all([state.checkpointQueue, state.streamQueue.up, state.streamQueue.down])
  expect(done.toSorted()).toEqual(['checkpoint', 'down', 'up'])
  expect(told.map(String)).toEqual(Array(3).fill('QuotaExceededError: no room'))
})
