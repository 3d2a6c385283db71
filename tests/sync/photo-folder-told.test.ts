/** The folder of a new record's photos is told by the CRM's answer to its making: no read in between (contract 5, OC1). */
import { type } from 'arktype'
import { expect, test } from 'vitest'
import { filesOf, photosSent, sha256, take } from '../support/photos.ts'
import { recordCases } from '../support/record-saves.ts'
import { nth, replicationScene } from '../support/replication.ts'

const app = replicationScene()

const withPhotos = recordCases.filter(({ collection }) =>
  ['emergencyReports', 'safetyMeasures', 'noteLocationAreas'].includes(collection),
)
const named = type({ name: 'string > 0', '+': 'delete' })

test.each(withPhotos)(
  '[OR2] $collection: a photo goes into the folder that the answer names',
  async (kind) => {
    const { collection, path, save, made } = kind
    const device = await app.open()
    const requests = await app.freeRequests(device)
    const request = nth(requests, 0)
    device.network.next(false)
    await save(device, request)
    const { key: recordKey } = (
      await device.db[collection].findOne({ selector: { unsent: 'yes' } }).exec(true)
    ).toMutableJSON()
    const key = await take(device, 'a.jpg', 7, { resource: collection, recordKey, requestId: request.id })
    // whatever the app would like to read of it from now on, it is not told
    await app.crm.faults.add({
      id: 'deaf',
      kind: 'status',
      status: 500,
      path: '/spa/',
      method: 'GET',
      count: 'always',
    })
    device.network.next(true)
    await photosSent(device)
    const rows: readonly { id: string }[] = made(await app.crm.inspect())
    const record = nth(rows, 0)
    const file = nth(await filesOf(app), 0)
    expect(file).toMatchObject({ sha256: sha256(await device.bytes.get(key)) })
    const told = (await device.db[collection].findOne(recordKey).exec(true)).toMutableJSON()
    expect(told.serverId).toBe(record.id)
    const { folders } = await app.crm.inspect()
    expect(folders.find(({ id }) => id === file.folderId)).toMatchObject(named.assert(told.server))
    expect(app.writes(path)).toHaveLength(1)
  },
)
