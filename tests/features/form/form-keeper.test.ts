/** What is typed and cannot be kept on the device does not end unseen, and neither breaks the form nor what is kept next. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFormDrafts } from '#data/form-drafts.ts'
import { openPhotoBytes } from '#data/photo-bytes.ts'
import type { FormDrafts } from '#form/form-drafts.ts'
import { createFormKeeper } from '#form/form-keeper.ts'
import { openTestDatabase } from '../../support/render-feature.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('[SV1] a draft that the device did not take is left to the one place that says it; the next one is kept', async () => {
  const uncaught: unknown[] = []
  const note = (reason: unknown) => void uncaught.push(reason)
  // the runner's own would fail the run
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', note)
  let values = { note: '' }
  let told = () => undefined as void
  const form = {
    store: {
      subscribe(listener: () => void) {
        told = listener
        return { unsubscribe: () => undefined }
      },
    },
    get state() {
      return { values }
    },
    options: {},
    setFieldValue: () => undefined,
    reset: () => undefined,
  }
  const full = new DOMException('no', 'QuotaExceededError')
  const kept: object[] = []
  const keep = vi
    .fn<FormDrafts['keep']>(async (_, typed) => void kept.push(typed))
    .mockRejectedValueOnce(full)
  const none = async () => null
  const drafts: FormDrafts = {
    read: none,
    keep,
    drop: async () => undefined,
    take: none,
    submits: () => () => undefined,
    watch: () => () => undefined,
  }
  const stop = createFormKeeper(form, 'a').start(drafts)
  const type = async (text: string) => {
    values = { note: text }
    told()
    await vi.advanceTimersByTimeAsync(1_000)
  }
  await type('ふた')
  vi.useRealTimers()
  // Node tells of a rejection after the turn that nobody caught it in
  await new Promise((done) => setImmediate(done))
  process.off('unhandledRejection', note)
  for (const other of others) process.on('unhandledRejection', other)
  expect(uncaught).toEqual([full])
  vi.useFakeTimers()
  await type('ふたは二人で')
  expect(kept).toEqual([{ note: 'ふたは二人で' }])
  stop()
})

test('[SV1] what is typed while the database closes is not called a failure of the device', async () => {
  vi.useRealTimers()
  const db = await openTestDatabase()
  const drafts = createFormDrafts({ db, bytes: openPhotoBytes({ databaseName: db.name, now: () => 0 }) })
  await db.close()
  await expect(drafts.keep('a', { note: 'ふた' })).resolves.toBeUndefined()
})
