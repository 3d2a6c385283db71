/**
 * There is room for another resource (trap 10, decisions/storage): one that only this test has, with a collection of
 * its own beside the shipped ones, goes through the shipped sync on real RxDB. RxDB's count is that of a page.
 */
import { expect, test } from 'vitest'
import { rxSchemas } from '#schemas/collections/collections.ts'
import { declaredFacts, pushCollections } from '#schemas/collections/push-collections.ts'
import { declared } from '#schemas/collections/declared.ts'
import { addChange, newChange, NOTHING_SENT } from '#data/changes/changes.ts'
import type { Layout } from '#data/user-stores/open-stores.ts'
import { pullResources, pushResources } from '#sync/resources/resource-table.ts'
import { until } from '../../support/device.ts'
import { TODAY } from '../../support/migrating.ts'
import { nth, todayScene } from '../../support/replication.ts'
import { viewIn } from '../../support/stored-views.ts'

const app = todayScene()

const NEW = 'deviceNotes'
// the registrations of the recipe; the calls are those of notes
Object.assign(declaredFacts, { [NEW]: declaredFacts.noteLocationAreas })
Object.assign(declared, { [NEW]: declared.noteLocationAreas })
Object.assign(pushCollections, [...pushCollections, NEW])
Object.assign(pushResources, { [NEW]: pushResources.noteLocationAreas })
Object.assign(pullResources, { [NEW]: pullResources.noteLocationAreas })

/** The shipped collections, the new one, and as many more as RxDB accepts. */
const layoutOf = (...names: string[]): Layout => ({
  ...TODAY,
  schemas: {
    ...rxSchemas,
    ...Object.fromEntries(names.map((name) => [name, rxSchemas.noteLocationAreas])),
  },
})
/** The new collection's records have the type of notes. */
const AS_NOTES = NEW as 'noteLocationAreas'

test('[trap 10][SV1][SV2] a resource more is opened, saved, sent once and read back, with one collection still free', async () => {
  const layout = layoutOf(NEW, 'another')
  expect(Object.keys(layout.schemas)).toHaveLength(13)
  const device = await app.open({ layout })
  expect(Object.keys(device.db.collections)).toHaveLength(13)
  const request = nth(await app.freeRequests(device), 0)
  const change = newChange(device.saver(), 'create', { note: '十四番目' })
  const blank = {
    key: change.id,
    requestId: request.id,
    workingDate: '',
    locationAreaId: request.locationAreaId ?? '',
    noteType: '1' as const,
    ...NOTHING_SENT,
  }
  await addChange(device.db, AS_NOTES, blank, change)
  await app.sent(device)
  const made = (await app.crm.inspect()).notes.filter(({ note }) => note === '十四番目')
  expect(made).toHaveLength(1)
  const own = await until(async () => {
    const note = await viewIn(device.db, AS_NOTES, change.id)
    return note.server?.detailed === true && note
  })
  expect(own).toMatchObject({ serverId: made[0]?.id, unsent: 'no', server: { note: '十四番目' } })
  // the record is still there at the next start
  await app.close(device)
  const again = await app.open({ layout })
  expect((await viewIn(again.db, AS_NOTES, change.id)).serverId).toBe(made[0]?.id)
})
