/** Records whose request has left the device stay for their own day (EX1). */
import { expect, test } from 'vitest'
import { NOTHING_SENT } from '#data/changes.ts'
import { createOrphans } from '#sync/retention/orphans.ts'
import { pullResources } from '#sync/resources/pull-table.ts'
import type { RecordPullParts } from '#sync/pull/record-pull.ts'
import type { LocalRecord } from '#sync/resources/pull-resource.ts'
import { replicationScene } from '../support/replication.ts'

const HOUR = 3_600_000
const app = replicationScene()

test('[EX1] what belongs to a request that went goes a day after it was read itself, and not with it', async () => {
  const device = await app.open({ online: false })
  const now = app.phone.now
  const readAt = (key: string, hoursAgo: number) => ({
    key,
    requestId: 'went',
    workingDate: '',
    locationAreaId: 'a1',
    noteType: '1' as const,
    ...NOTHING_SENT,
    serverId: key,
    server: { id: key, note: key, detailed: true, stamp: `${now - hoursAgo * HOUR}-0000-phone` },
  })
  const { error } = await device.db.noteLocationAreas.bulkInsert([
    readAt('fresh', 1),
    readAt('over', 25),
  ] as never[])
  expect(error).toEqual([])
  const { find } = createOrphans({
    db: device.db,
    collection: device.db.noteLocationAreas as unknown as RecordPullParts<LocalRecord>['collection'],
    resource: pullResources.noteLocationAreas,
    clock: { now: () => now, borneOut: () => now, stamp: () => '' },
  })
  expect((await find()).map(({ key }) => key)).toEqual(['over'])
})
