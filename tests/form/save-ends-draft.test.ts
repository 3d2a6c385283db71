/** A save and the end of its draft are one, whenever the page goes (data/drafts/save-draft). */
import fc from 'fast-check'
import { viewOf } from '#data/changes/record-views.ts'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { expect, test, vi } from 'vitest'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { noting } from '#data/changes/changes.ts'
import type { Database } from '#data/database/database.ts'
import { openDrafts$ } from '#data/drafts/draft-list.ts'
import { draftOf, createFormDrafts } from '#data/drafts/drafts.ts'
import { openPhotoBytes } from '#data/photos/photo-bytes.ts'
import { saveDraft, settleDrafts } from '#data/drafts/save-draft.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { createFormAutosave } from '#form/form-autosave.ts'
import { firstValueFrom } from 'rxjs'
import { beforeEachWrite } from '../support/disk-writes.ts'
import { openTestDatabase, testClock } from '../support/render-feature.tsx'
import { uncaughtIn } from '../support/uncaught.ts'
import { PLAIN } from '../support/plain-sealer.ts'

const KEY = 'noteLocationArea/add/r1'
const REQUEST: Pick<RequestRecord, 'id' | 'locationAreaId'> = { id: 'r1', locationAreaId: 'a1' }

/** A form of one field. */
function noteForm() {
  let values = { note: '' }
  let heard = () => undefined as void
  const form = {
    store: {
      subscribe(listener: () => void) {
        heard = listener
        return { unsubscribe: () => undefined }
      },
    },
    get state() {
      return { values }
    },
    options: { defaultValues: { note: '' } },
    setFieldValue: () => undefined,
    reset: () => undefined,
  }
  const type = (note: string) => {
    values = { note }
    heard()
  }
  return { form, type, note: () => values.note }
}

type Step = 'type' | 'debounced' | 'at rest'
const steps = fc.array(fc.constantFrom<Step>('type', 'debounced', 'at rest'), { maxLength: 6 })

interface Plan {
  before: readonly Step[]
  /** While the save is under way. */
  during: readonly Step[]
  after: readonly Step[]
  /** The page goes before its write of this number, counted from the save on. */
  goneAt: number
  /** Of a note that is there. */
  isEdit: boolean
}

const plan: fc.Arbitrary<Plan> = fc.record({
  before: steps,
  during: steps,
  after: steps,
  goneAt: fc.oneof(fc.nat(8), fc.constant(1_000)),
  isEdit: fc.boolean(),
})

async function run(db: Database, { before, during, after, goneAt, isEdit }: Plan, name: string) {
  const bytes = openPhotoBytes({
    sealer: PLAIN,
    databaseName: name,
    now: Date.now,
    settings: { indexedDB: new IDBFactory(), IDBKeyRange },
  })
  const saver = {
    db,
    clock: testClock(Date.now),
    newId: () => crypto.randomUUID(),
    userId: 'u1',
    offline: true,
  }
  if (isEdit) await saveNote(saver, REQUEST, { note: '前から' }, null, name)
  const record = isEdit ? ((await viewOf(db, 'noteLocationAreas', name)) ?? null) : null
  const drafts = createFormDrafts({ db, bytes })
  const { form, type, note } = noteForm()
  const autosave = createFormAutosave(form, KEY)
  const stop = autosave.start(drafts)
  let typed = 0
  const act = async (step: Step) => {
    if (step === 'type') type(`${name} ${(typed += 1)}`)
    // as the last that a page hears: what waits to be written is written now
    else if (step === 'debounced') window.dispatchEvent(new Event('pagehide'))
    else await draftOf(db, KEY)
  }
  for (const step of before) await act(step)
  type(`${name} saved`)
  const saved = note()

  let writes = 0
  const again = beforeEachWrite(() => {
    if (writes++ >= goneAt) throw new DOMException('the page has gone', 'AbortError')
  })
  let isConfirmed = false
  await uncaughtIn(async () => {
    const end = autosave.submits(drafts)
    const own = noting(saver).saver
    const target = { resource: 'noteLocationAreas', recordKey: name, requestId: 'r1', workingDate: '' }
    const save = saveDraft({ ...own, bytes }, drafts.submitted(KEY), target, (key) =>
      saveNote(own, REQUEST, { note: saved }, record, key),
    ).then(
      () => (isConfirmed = true),
      () => undefined,
    )
    for (const step of during) await act(step)
    await save
    end(isConfirmed)
    if (isConfirmed) for (const step of after) await act(step)
    stop()
    await vi.waitFor(async () => expect(await draftOf(db, 'nothing waits')).toBeNull())
  })
  again()
  // the page anew
  await settleDrafts({ ...saver, bytes })
  const made = (await viewOf(db, 'noteLocationAreas', name))?.changes.map(({ fields }) => fields)
  const isSaved = made?.some((fields) => Reflect.get(fields, 'note') === saved) === true
  const kept = await firstValueFrom(openDrafts$(db))
  bytes.close()
  return { isSaved, isConfirmed, saved, kept: kept.map(({ values }) => values), goneAt }
}

test('[SV1][SV2c] of what was saved no draft is left, whatever is typed and written when, and wherever the page goes; what was not saved is a draft', async () => {
  let count = 0
  await fc.assert(
    fc.asyncProperty(plan, async (each) => {
      const db = await openTestDatabase()
      const { isSaved, isConfirmed, saved, kept } = await run(db, each, `n${(count += 1)}`)
      if (isConfirmed) expect(isSaved).toBe(true)
      // what was typed while it was being saved is the form's, and goes with it
      if (isSaved && isConfirmed) expect(kept).toEqual([])
      if (isSaved) expect(kept).not.toContain(JSON.stringify({ note: saved }))
      if (!isSaved && each.goneAt > 1) expect(kept).toHaveLength(1)
      await db.close()
    }),
    { numRuns: 30 },
  )
}, 240_000)
