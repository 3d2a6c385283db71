/** A list counts as being on the device only once what was read of it is there (RULES trap 14, PL4). */
import { expect, test, vi } from 'vitest'
import { ListMarks } from '#sync/pull/records/local-records.ts'
import { prefetchKey } from '#schemas/collections/prefetch.ts'
import { isOpen, recordCases } from '../../support/record-saves.ts'
import { nth, replicationScene } from '../../support/replication.ts'
import { askList, interest$, listInterest } from '#data/fetch-requests/interests.ts'
import { firstValueFrom } from 'rxjs'
import { until } from '../../support/device.ts'
import { firstIn } from '../../support/stored-views.ts'

const app = replicationScene()

test('[PL4] a record that is there, but not yet as it was read, leaves its list unread for the next start', async () => {
  const device = await app.open()
  const request = nth((await app.freeRequests(device)).filter(isOpen), 0)
  await nth(recordCases, 0).save(device, request)
  await app.sent(device)
  const { db } = device
  const found = await until(
    async () => (await firstIn(db, 'emergencyReports', { requestId: request.id, unsent: 'no' })) ?? false,
  )
  const record = found
  if (!record.server) throw new Error('it was sent')
  const read = {
    ...record,
    server: { ...record.server, name: 'E-9', stamp: `9${record.server.stamp.slice(1)}` },
  }

  const parts = {
    db,
    name: 'emergencyReports',
    collection: db.emergencyReports,
    clock: { now: () => app.phone.now, expiryNow: () => app.phone.now },
  }
  const marks = new ListMarks({ ...parts, isPersistent: true })
  const mark = { basis: 'as read', stamp: read.server.stamp, at: new Date(app.phone.now).toISOString() }
  const onDevice = () =>
    db.interests
      .findOne(prefetchKey('emergencyReports', request.id))
      .exec()
      .then((interest) => interest?.because)
  marks.noteRead({ owner: request.id, requests: [request] }, mark, [{ ...read, _deleted: false }])
  await marks.confirm(false)
  expect(await onDevice()).not.toBe('as read')
  await db.emergencyReports.upsert(read)
  await marks.confirm(false)
  expect(await onDevice()).toBe('as read')
})

test('[ST4][PL9] what a full device did not write of an answer is written at the next look', async () => {
  const device = await app.open({ online: false })
  const { db } = device
  const list = { collection: 'pastReports', owner: 'dv1' } as const
  await askList(db, app.phone.now, list)
  const question = () => firstValueFrom(interest$(db, listInterest(list.collection, list.owner)))
  const asked = await question()
  if (!asked) throw new Error('it was asked')
  const clock = { now: () => app.phone.now, expiryNow: () => app.phone.now }
  const marks = new ListMarks({
    db,
    name: list.collection,
    collection: db.pastReports,
    clock,
    isPersistent: true,
  })
  const mark = { basis: '', stamp: '1', at: new Date(app.phone.now).toISOString() }
  marks.noteRead({ owner: list.owner, requests: [], fetchRequest: asked }, mark, [])

  const full = new DOMException('no room', 'QuotaExceededError')
  const writing = vi.spyOn(db.interests, 'bulkUpsert').mockRejectedValueOnce(full)
  await expect(marks.confirm(false)).rejects.toBe(full)
  writing.mockRestore()
  await marks.confirm(false)
  expect(await question()).toMatchObject({ state: 'answered' })
})

test('[PL4][trap 14] a screen that asks for a list anew while its receipt is written is answered at the next look', async () => {
  const { db } = await app.open({ online: false })
  const list = { collection: 'pastReports', owner: 'dv1' } as const
  const question = async () => {
    app.phone.now += 1_000
    await askList(db, app.phone.now, list)
    const asked = await state()
    if (!asked) throw new Error('it was asked')
    return asked
  }
  const state = () => firstValueFrom(interest$(db, listInterest(list.collection, list.owner)))
  const clock = { now: () => app.phone.now, expiryNow: () => app.phone.now }
  const parts = { db, name: list.collection, collection: db.pastReports, clock }
  const marks = new ListMarks({ ...parts, isPersistent: true })
  const read = (fetchRequest: Awaited<ReturnType<typeof question>>, stamp: string) => {
    const mark = { basis: '', stamp, at: new Date(app.phone.now).toISOString() }
    marks.noteRead({ owner: list.owner, requests: [], fetchRequest }, mark, [])
  }
  read(await question(), '1')
  const { bulkUpsert } = db.interests
  vi.spyOn(db.interests, 'bulkUpsert').mockImplementationOnce(async (rows) => {
    read(await question(), '2')
    return bulkUpsert.call(db.interests, rows)
  })
  await marks.confirm(false)
  expect(await state()).toMatchObject({ state: 'asked' })
  await marks.confirm(false)
  expect(await state()).toMatchObject({ state: 'answered' })
})
