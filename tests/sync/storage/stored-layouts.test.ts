/**
 * A phone is updated with whatever it has stored: the storage of every layout there ever was (`fixtures/layout-<n>.json`)
 * opens under today's, and under one in which every collection has changed: the same queue, the same content, and each
 * change goes to the CRM once (SV3).
 */
import { describe, expect, test } from 'vitest'
import { rxSchemas } from '#schemas/collections/collections.ts'
import { steps } from '#schemas/migrations/steps.ts'
import { pushCollections } from '#schemas/collections/push-collections.ts'
import { kindNames } from '#schemas/collections/shared.ts'
import type { Layout } from '#data/user-stores/open-stores.ts'
import { draftOf } from '#data/drafts/drafts.ts'
import { until, type Device } from '../../support/device.ts'
import { grownLayout } from '../../support/grown-layout.ts'
import { jpeg, sha256 } from '../../support/photos.ts'
import { recordCases } from '../../support/record-saves.ts'
import { todayScene, statesOf } from '../../support/replication.ts'
import { storedFiles, storeFile, type StoredFile } from '../../support/stored-files.ts'
import { DRAFT_PHOTO, phoneWith, storedByToday, STORED_DATABASE } from '../../support/stored-layouts.ts'
import { rowsIn } from '../../support/storage-dump.ts'

const app = todayScene()

const TODAY_LAYOUT: Layout = { schemas: rxSchemas, migrations: steps }
const layouts: [string, Layout][] = [
  ['today’s layout', TODAY_LAYOUT],
  ['one in which every collection has changed', grownLayout(TODAY_LAYOUT)],
]

/** What every one of them has rows of; of a resource that came later the older ones have none. */
const FILLED: ReadonlySet<string> = new Set([
  ...['quickReports', 'changes', 'photos', 'requests'],
  ...kindNames,
])

const byText = (rows: object[]) => rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
const queueOf = async (device: Device) =>
  (await device.queue()).map(({ record, change, state }) => [record.resource, record.key, change, state])

describe.each(storedFiles().map((stored) => [`layout ${stored.number}`, stored] as [string, StoredFile]))(
  'what %s has stored',
  (_, stored) => {
    test.each(layouts)(
      '[SV3] opens under %s: the queue, the photos and the drafts are as they were',
      async (__, layout) => {
        await phoneWith(app, stored)
        const before = rowsIn(stored.text, STORED_DATABASE)
        const device = await app.open({ online: false, layout })
        const queue = await queueOf(device)
        expect(queue).toHaveLength(8)
        expect((await statesOf(device)).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
          'failed',
          ...Array.from({ length: 7 }, () => 'waiting'),
        ])
        for (const name of [...pushCollections, 'changes', 'photos', 'requests', ...kindNames] as const) {
          const docs: { toJSON(): unknown }[] = await device.db[name].find().exec()
          const held = docs.map((doc) => doc.toJSON() as Record<string, unknown>)
          const known = before(name)
          if (FILLED.has(name)) expect(known.length).toBeGreaterThan(0)
          expect(byText(held.map(({ grown: ___, rowKey: ____, ...doc }) => doc))).toEqual(byText(known))
          if (layout !== TODAY_LAYOUT) expect(held.map(({ grown }) => grown)).toEqual(held.map(() => 'yes'))
        }
        const saved = new Set(before('changes').map((row) => row['resource']))
        expect([...saved]).toEqual(expect.arrayContaining(recordCases.map(({ collection }) => collection)))
        const [draft] = (await device.db.drafts.find().exec()).filter(({ photos }) => photos.length > 0)
        expect((await draftOf(device.db, draft?.key ?? ''))?.photos).toMatchObject([{ key: DRAFT_PHOTO }])
        expect(sha256(await device.bytes.get(DRAFT_PHOTO))).toBe(sha256(jpeg(3)))
        expect(device.problems).toEqual([])
      },
    )

    test('[SV2] … and goes to the CRM, each once; pulls go on', async () => {
      // the newest are moved once more: as they are, they need no step
      const layout = stored.number === storedFiles().length - 1 ? grownLayout(TODAY_LAYOUT) : TODAY_LAYOUT
      await phoneWith(app, stored)
      const device = await app.open({ online: false, layout })
      const refused = (await device.queue()).find(({ state }) => state === 'failed')
      const entered = (await device.queue()).find(
        ({ record, change }) => record.resource === 'quickReports' && change.kind === 'entry',
      )
      const key = entered?.record.key ?? ''
      expect((await device.db.requests.findOne(key).exec(true)).quickReport).toBeNull()
      const seed = await app.crm.inspect()
      device.network.next(true)
      // this CRM never heard of the report that the exit belongs to: it says so, and that stays visible
      await until(async () => {
        const left = await device.queue()
        return left.every(({ state }) => state === 'failed') && left.length > 0
      })
      const state = await app.crm.inspect()
      for (const { made } of recordCases) expect(made(state)).toHaveLength(1)
      expect(state.quickReports.length).toBe(seed.quickReports.length + 1)
      expect(app.writes('/spa/').filter(({ acted }) => acted)).toHaveLength(6)
      expect((await device.queue()).map(({ change }) => change.id)).toContain(refused?.change.id)
      // what was read before is the CRM's still: a pull writes over it
      await until(async () => (await device.db.requests.findOne(key).exec())?.quickReport?.id)
      await app.close(device)
      const again = await app.open({ layout })
      await until(async () => (await again.queue()).every(({ state: each }) => each === 'failed'))
      expect(app.writes('/spa/').filter(({ acted }) => acted)).toHaveLength(6)
    })
  },
)

test.runIf(process.env['MAKE_FIXTURE'])('keeps what the code of today stores', async () => {
  const text = await storedByToday(app)
  expect(text).toContain(STORED_DATABASE)
  storeFile({ number: Number(process.env['MAKE_FIXTURE']), schemas: rxSchemas, text })
})
