/** On a first visit what comes later waits for the list (decision 0106). */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { UserData } from '#data/app-context.tsx'
import { createValueStore } from '#app/value-store.ts'
import { lineIsFree } from '#app/line-is-free.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The list of a user whose data are open, by its rows. */
function scene() {
  const rows = createValueStore<{ rows: unknown[] } | undefined>(undefined)
  const opened = { live: { store: () => rows } } as unknown as UserData
  const userData = createValueStore<UserData | null>(null)
  let isFree = false
  void lineIsFree(userData, Promise.resolve()).then(() => (isFree = true))
  const after = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms)
    return isFree
  }
  const show = (count: number) => rows.set({ rows: Array.from({ length: count }) })
  return { after, show, open: () => userData.set(opened), close: () => userData.set(null) }
}

test('[0106] while the rows of a first login still come it is not, and is once no more of them have come', async () => {
  const { after, show, open } = scene()
  open()
  show(0)
  expect(await after(5_000)).toBe(false)
  for (const count of [50, 100, 150]) {
    show(count)
    expect(await after(900)).toBe(false)
  }
  expect(await after(200)).toBe(true)
})

test('[0106] rows of a user who has left are not waited for, and do not end it', async () => {
  const { after, show, open, close } = scene()
  open()
  show(50)
  close()
  expect(await after(5_000)).toBe(false)
})

test('[0106] where nobody logs in, or there are no rows, it is after a while all the same', async () => {
  const { after } = scene()
  expect(await after(20_000)).toBe(false)
  expect(await after(20_000)).toBe(true)
})
