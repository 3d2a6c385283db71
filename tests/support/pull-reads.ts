/** Reads and back-offs of the pull engine's state, as they are where a test says nothing else of them. */
import type { Read, Task } from '#sync/pull/engine/engine-state.ts'
import type { Trouble } from '#sync/scheduler/read-backoff.ts'

export const taskNamed = (name: string, more: Partial<Task> = {}): Task => ({ name, lane: 'lists', ...more })

export const reading = (id: number, name: string, more: Partial<Read<string>> = {}): Read<string> => ({
  ...taskNamed(name),
  id,
  begunAt: 100,
  acceptedBefore: 7,
  isDropped: false,
  docs: [],
  ...more,
})

export const troubleOf = (more: Partial<Trouble> = {}): Trouble => ({
  tries: 1,
  notBefore: 1_000,
  acceptedBefore: 7,
  isOwn: true,
  ...more,
})
