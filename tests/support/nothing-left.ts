/**
 * The tests of a worker share one process (vite.config.ts): what a file leaves behind would be the next one's, whichever
 * that is. What can be taken back is; of all else the file fails itself.
 */
import { deepStrictEqual, equal, ok } from 'node:assert/strict'
import http from 'node:http'
import { IDBDatabase, IDBFactory, IDBIndex, IDBObjectStore } from 'fake-indexeddb'
import { now, OPEN_COLLECTIONS, overwritable } from 'rxdb/plugins/core'
import { afterAll, afterEach, vi } from 'vitest'
import { declaredFacts, pushCollections } from '#schemas/collections/push-collections.ts'

/** What tests put something else in the place of, or add to; known from the first file on. */
const replaceable = () => ({
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  // these two are MSW's while it listens
  fetch: globalThis.fetch,
  request: http.request,
  crypto: globalThis.crypto,
  now: Date.now,
  ticks: performance.now,
  random: Math.random,
  parse: JSON.parse,
  zone: process.env['TZ'],
  listeners: process.listenerCount('unhandledRejection'),
  disk: [IDBFactory, IDBDatabase, IDBObjectStore, IDBIndex].map(({ prototype }) =>
    Object.getOwnPropertyDescriptors(prototype),
  ),
  resources: [...pushCollections, ...Object.keys(declaredFacts)],
})
const shared = globalThis as { replaceable?: ReturnType<typeof replaceable> }
const first = (shared.replaceable ??= replaceable())

/** What still waits: a device that was not closed, or a test that went on without what it had begun. */
const waiting = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
/** The runner's own. */
const before = waiting()
/** Longer than what a closed device lets run out. */
const ENDED_MS = 10_000

async function allEnded(): Promise<boolean> {
  const last = performance.now() + ENDED_MS
  while (waiting() > before && performance.now() < last)
    await new Promise((resolve) => setTimeout(resolve, 20))
  return waiting() <= before
}

/** A file that failed fails alone: what it could not close takes no room from the next one, nor its calls. */
function giveBack(): void {
  OPEN_COLLECTIONS.clear()
  globalThis.fetch = first.fetch
}

afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

afterAll(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  const isOver = await allEnded()
  // RxDB opens 16 on a page
  const [open, found] = [OPEN_COLLECTIONS.size, replaceable()]
  giveBack()
  equal(open, 0, 'collections are left open')
  ok(isOver, 'a timer is left behind')
  deepStrictEqual(found, first)
  equal('indexedDB' in globalThis, false)
  equal(overwritable.isDevMode(), false)
  // RxDB's own clock never goes back: what is written after it was ahead is never old
  ok(now() < Date.now() + 60_000, 'RxDB has seen a day that is still to come')
}, 2 * ENDED_MS)
