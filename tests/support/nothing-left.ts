/**
 * The tests of a worker share one process (vite.config.ts): what a file leaves behind would be the next one's, whichever
 * that is. So it fails itself.
 */
import { deepStrictEqual, equal, ok } from 'node:assert/strict'
import { now, OPEN_COLLECTIONS, overwritable } from 'rxdb/plugins/core'
import { afterAll, afterEach, vi } from 'vitest'

/** What tests put something else in the place of; known from the first file on. */
const replaceable = () => ({
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
  fetch: globalThis.fetch,
  crypto: globalThis.crypto,
  now: Date.now,
  ticks: performance.now,
  random: Math.random,
  zone: process.env['TZ'],
})
const shared = globalThis as { replaceable?: ReturnType<typeof replaceable> }
shared.replaceable ??= replaceable()

afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

afterAll(() => {
  // RxDB opens 16 on a page
  equal(OPEN_COLLECTIONS.size, 0)
  deepStrictEqual(replaceable(), shared.replaceable)
  equal('indexedDB' in globalThis, false)
  equal(overwritable.isDevMode(), false)
  // RxDB's own clock never goes back: what is written after it was ahead is never old
  ok(now() < Date.now() + 60_000, 'RxDB has seen a day that is still to come')
})
