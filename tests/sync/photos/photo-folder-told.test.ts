/**
 * The folder of a new record's photos is told by the CRM's answer to its making: no read in between (contract 5, OC1). Where
 * nobody ever tells it, its photos expire like all that is unsent (EX2).
 */
import { type } from 'arktype'
import { expect, test } from 'vitest'
import { safetyKey } from '#schemas/resources/safety-measure.ts'
import { until } from '../../support/device.ts'
import { fileCalls, filesOf, photoRow, photosSent, sha256, take } from '../../support/photos.ts'

import { recordCases } from '../../support/record-saves.ts'
import { nth, todayScene, statesOf, TODAY } from '../../support/replication.ts'
import { firstIn, storeView, viewIn } from '../../support/stored-views.ts'

const app = todayScene()

const withPhotos = recordCases.filter(({ collection }) =>
  ['emergencyReports', 'safetyMeasures', 'noteLocationAreas'].includes(collection),
)
const named = type({ name: 'string > 0', '+': 'delete' })

test.each(withPhotos)(
  '[OR2a] $collection: a photo goes into the folder that the answer names',
  async (kind) => {
    const { collection, path, save, made } = kind
    const device = await app.open()
    const requests = await app.freeRequests(device)
    const request = nth(requests, 0)
    device.network.next(false)
    await save(device, request)
    const { key: recordKey } = await firstIn(device.db, collection, { unsent: 'yes' })
    const key = await take(device, 'a.jpg', 7, { resource: collection, recordKey, requestId: request.id })
    // from now on every read of the record fails
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
    const told = await viewIn(device.db, collection, recordKey)
    expect(told.serverId).toBe(record.id)
    const { folders } = await app.crm.inspect()
    expect(folders.find(({ id }) => id === file.folderId)).toMatchObject(named.assert(told.server))
    expect(app.writes(path)).toHaveLength(1)
  },
)

test('[EX2][OR2] a photo whose record the CRM has, and says no folder of, is 期限切れ after a day; one whose record expired waits with it', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  const [kind] = recordCases.filter(({ collection }) => collection === 'noteLocationAreas')
  await kind?.save(device, request)
  const note = await firstIn(device.db, 'noteLocationAreas', { unsent: 'yes' })
  const there = safetyKey(request.id, TODAY, '3')
  await storeView(device.db, 'safetyMeasures', {
    ...{ key: there, requestId: request.id, workingDate: TODAY, safetyType: '3', serverId: 's-1' },
    ...{ changes: [], unsent: 'no', server: { id: 's-1', stamp: '', detailed: true, needFlag: '1' } },
  } as never)
  const requestId = request.id
  const untold = await take(device, 'a.jpg', 1, { resource: 'safetyMeasures', recordKey: there, requestId })
  const held = await take(device, 'b.jpg', 2, {
    ...{ resource: 'noteLocationAreas', recordKey: note.key, requestId },
  })
  app.phone.now += 25 * 3_600_000
  app.crmNow += 25 * 3_600_000
  await app.phone.signIn()
  device.network.next(true)
  await until(async () => (await photoRow(device, untold))?.state === 'expired')
  await until(async () => (await statesOf(device)).includes('expired'))
  expect(await photoRow(device, held)).toMatchObject({ state: 'waiting', payload: '' })
  expect(fileCalls(app, 'files/upload')).toEqual([])
})
