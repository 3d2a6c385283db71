import { expect, test } from 'vitest'
import { NoteType } from '#schemas/codes.ts'
import { askRefresh } from '#data/fetch-requests/interests.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { until } from '../../support/device.ts'
import { nth, todayScene, TODAY } from '../../support/replication.ts'
import { viewsIn } from '../../support/stored-views.ts'

const app = todayScene()

test('[PL5] another company’s note appears after a refetch', async () => {
  const device = await app.open()
  await app.freeRequests(device)
  await app.crm.actAsOtherCompany()
  app.phone.now += 60_000
  await askRefresh(device.db, app.phone.now)
  const [theirs] = (await app.crm.inspect()).notes.filter(({ origin }) => origin === 'call')
  const doc = await until(async () => {
    const docs = await viewsIn(device.db, 'noteLocationAreas', { serverId: theirs?.id ?? '' })
    return docs[0] ?? false
  })
  expect(doc).toMatchObject({
    key: theirs?.id,
    locationAreaId: theirs?.locationAreaId,
    server: { note: theirs?.note, loginUserId: theirs?.loginUserId },
  })
})

test('[PL1] a note that the CRM no longer has leaves the device, one with an unsent edit stays', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await saveNote(device.saver(), request, { note: '一つ目' })
  await saveNote(device.saver(), request, { note: '二つ目' })
  await app.sent(device)
  const own = async () => {
    const docs = await viewsIn(device.db, 'noteLocationAreas')
    return docs.filter(({ key, serverId }) => key !== serverId)
  }
  await until(async () => (await own()).filter(({ server }) => server?.detailed).length === 2)
  const [first, second] = await own()
  const held = {
    kind: 'status',
    method: 'PUT',
    status: 400,
    body: { errors: ['no'] },
    count: 'always',
  } as const
  await app.crm.faults.add({ id: 'held', path: 'noteLocationArea/', ...held })
  await saveNote(device.saver(), request, { note: '編集中' }, first ?? null)
  const none = { kind: 'status', status: 200, body: [], headers: { 'x-total-count': '0' } } as const
  await app.crm.faults.add({ id: 'none', path: 'noteLocationArea/request', count: 'always', ...none })
  app.phone.now += 60_000
  await askRefresh(device.db, app.phone.now)
  await until(async () => !(await own()).some(({ key }) => key === second?.key))
  expect((await own()).map(({ key }) => key)).toEqual([first?.key])
})

test('[PL1] of two lists that make up the notes of an area, one that is cut short removes nothing, though the other is whole', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await saveNote(device.saver(), request, { note: '一つ目' })
  await app.sent(device)
  const ofArea = () =>
    viewsIn(device.db, 'noteLocationAreas', { locationAreaId: request.locationAreaId ?? '' })
  const [own] = await until(async () => {
    const docs = (await ofArea()).filter(({ server }) => server?.note === '一つ目' && server.detailed)
    return docs.length > 0 && docs
  })
  const { fetch } = app.crm
  app.crm.fetch = async (call) => {
    const [, area] = /noteLocationArea\/request\/([^/?]+)/.exec(call.url) ?? []
    if (area === undefined) return fetch(call)
    const isOfSite = new URL(call.url).searchParams.get('type') === NoteType.code.site
    const rows = isOfSite ? [{ id: `site-${area}`, note: '現場から', type: NoteType.code.site }] : []
    return Response.json(rows, { headers: { 'x-total-count': '1' } })
  }
  app.phone.now += 60_000
  await askRefresh(device.db, app.phone.now)
  await until(async () => (await ofArea()).some(({ serverId }) => serverId.startsWith('site-')))
  expect((await ofArea()).map(({ key }) => key)).toContain(own?.key)
})

test('[PL2] a note that cannot be read is reported; the others are on the device', async () => {
  const rows = [
    { id: 'n1', note: '読めます' },
    { id: '', note: 7 },
  ]
  const some = { kind: 'status', status: 200, body: rows, headers: { 'x-total-count': '2' } } as const
  await app.crm.faults.add({ id: 'some', path: 'noteLocationArea/request.*type=1', count: 'always', ...some })
  const device = await app.open()
  await until(async () => (await viewsIn(device.db, 'noteLocationAreas', { serverId: 'n1' })).length > 0)
  expect(device.problems.some((problem) => problem.startsWith('noteLocationAreas'))).toBe(true)
  expect(TODAY).toBe('2026-11-20')
})
