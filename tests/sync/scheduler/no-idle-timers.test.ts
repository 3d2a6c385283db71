/** What the sync of a device that has nothing to do sets timers for (RULES trap 18, decisions/speed). */
import { afterEach, expect, test, vi } from 'vitest'
import { replicationScene } from '../../support/replication.ts'

const app = replicationScene()
afterEach(() => vi.restoreAllMocks())

const TWENTY_SECONDS = 20_000

test('[trap 18] no collection keeps the page awake by a timer of its own', async () => {
  const set = vi.spyOn(globalThis, 'setInterval')
  const device = await app.open()
  await app.freeRequests(device)
  const started = set.mock.calls.filter(([, ms]) => ms === TWENTY_SECONDS)
  expect(set.mock.calls.length).toBeGreaterThan(0)
  expect(started).toEqual([])
})
