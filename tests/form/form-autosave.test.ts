/** What is typed and cannot be kept on the device does not end unseen, and neither breaks the form nor what is kept next. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFormDrafts } from '#data/drafts/drafts.ts'
import { openPhotoBytes } from '#data/photos/photo-bytes.ts'
import type { FormDrafts } from '#form/form-drafts.ts'
import { createFormAutosave } from '#form/form-autosave.ts'
import { openTestDatabase } from '../support/render-feature.tsx'
import { PLAIN } from '../support/plain-sealer.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A form of one field. */
function noteForm() {
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
  const note = (text: string) => {
    values = { note: text }
    told()
  }
  return { form, note }
}

const none = async () => null
const draftsWith = (keep: FormDrafts['keep']): FormDrafts => ({
  read: none,
  keep,
  drop: async () => undefined,
  take: none,
  submits: () => () => undefined,
  watch: () => () => undefined,
})

test.each(['beforeunload', 'pagehide'])(
  '[draft] what was typed last is kept as soon as the page hears that it goes: %s',
  async (last) => {
    const { form, note } = noteForm()
    const kept: object[] = []
    const stop = createFormAutosave(form, 'a').start(draftsWith(async (_, typed) => void kept.push(typed)))
    await vi.advanceTimersByTimeAsync(0)
    note('ふたは二人で')
    window.dispatchEvent(new Event(last))
    // no time passes
    await vi.advanceTimersByTimeAsync(0)
    expect(kept).toEqual([{ note: 'ふたは二人で' }])
    stop()
  },
)

test('[SV1] a draft that the device did not take is left to the one place that says it; the next one is kept', async () => {
  const uncaught: unknown[] = []
  const note = (reason: unknown) => void uncaught.push(reason)
  // the runner's own would fail the run
  const others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', note)
  const { form, note: write } = noteForm()
  const full = new DOMException('no', 'QuotaExceededError')
  const kept: object[] = []
  const keep = vi
    .fn<FormDrafts['keep']>(async (_, typed) => void kept.push(typed))
    .mockRejectedValueOnce(full)
  const stop = createFormAutosave(form, 'a').start(draftsWith(keep))
  const type = async (text: string) => {
    write(text)
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
  const drafts = createFormDrafts({
    db,
    bytes: openPhotoBytes({ sealer: PLAIN, databaseName: db.name, now: () => 0 }),
  })
  await db.close()
  await expect(drafts.keep('a', { note: 'ふた' })).resolves.toBeUndefined()
})
