import { expect, test } from 'vitest'
import { askRefresh } from '#data/fetch-requests/interests.ts'
import { atRest } from '../../support/at-rest.ts'
import { until } from '../../support/device.ts'
import {
  fileCalls,
  filesOf,
  FOLDER_NAME,
  jpeg,
  PARENT,
  photoOf,
  photoRow,
  photoScene,
  photosSent,
  RECORD_KEY,
  sha256,
  take,
} from '../../support/photos.ts'
import { enter, nth, NOW } from '../../support/replication.ts'
import { patchRow } from '../../support/stored-views.ts'

const { app, parents } = photoScene()

test('[SV2] a photo arrives byte for byte, in the folder of its record, with its stored name', async () => {
  const device = await app.open()
  const key = await take(device, '現場 1.jpg', 1)
  await photosSent(device)
  const files = await filesOf(app)
  const { folders } = await app.crm.inspect()
  expect(folders).toMatchObject([{ parentId: PARENT, name: FOLDER_NAME }])
  expect(files).toMatchObject([
    { name: '20261120100000000_現場 1.jpg', sha256: sha256(jpeg(1)), contentType: 'image/jpeg' },
  ])
  expect(files[0]?.folderId).toBe(folders[0]?.id)
  const named = { fileSeq: files[0]?.file_seq, storeName: files[0]?.name, folderId: folders[0]?.id }
  expect(await photoOf(device, key)).toMatchObject({ ...named, unsent: 'no' })
  expect(await photoRow(device, key)).toMatchObject({ state: 'accepted', serverId: files[0]?.file_seq })
  expect(sha256(await device.bytes.get(key))).toBe(sha256(jpeg(1)))
  expect(device.problems).toEqual([])
})

test('[SV1] saved offline, closed, opened: the photos go when there is signal, once each', async () => {
  const device = await app.open({ online: false })
  for (const seed of [1, 2, 3, 4]) await take(device, `p${seed}.jpg`, seed)
  await app.close(device)
  const again = await app.open({ online: false })
  expect(fileCalls(app, 'doccloud')).toEqual([])
  again.network.next(true)
  await photosSent(again)
  expect((await filesOf(app)).map((file) => file.sha256)).toEqual([1, 2, 3, 4].map((n) => sha256(jpeg(n))))
})

test('[OC5][C16] after hours without signal the session is renewed for the token of the file store', async () => {
  const device = await app.open({ online: false })
  await take(device, 'p.jpg', 1)
  app.crmNow = NOW + 31 * 60_000
  device.network.next(true)
  await photosSent(device)
  expect(await filesOf(app)).toHaveLength(1)
  expect(device.problems).toEqual([])
})

test('[OR1b] three go at once, not more, and all make one folder', async () => {
  const device = await app.open({ online: false })
  let most = 0
  const act = app.crm.fetch
  let under = 0
  app.crm.fetch = async (request) => {
    const isUpload = request.url.includes('files/upload')
    if (isUpload) most = Math.max(most, (under += 1))
    try {
      // the first uploads wait for each other, which gives a fourth one time to begin
      if (isUpload) await until(() => most >= 3)
      await atRest()
      return await act(request)
    } finally {
      if (isUpload) under -= 1
    }
  }
  await Promise.all([1, 2, 3, 4, 5, 6, 7].map((seed) => take(device, `p${seed}.jpg`, seed)))
  device.network.next(true)
  await photosSent(device)
  expect(most).toBe(3)
  expect(await filesOf(app)).toHaveLength(7)
  expect((await app.crm.inspect()).folders).toHaveLength(1)
  expect(fileCalls(app, 'folders/create')).toHaveLength(1)
  expect(fileCalls(app, '/token')).toHaveLength(1)
})

test('[OR2a] a photo waits until the CRM has its record; filePath is used where it has one', async () => {
  parents.at.set(RECORD_KEY, { kind: 'wait' })
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  const key = await take(device, 'a.jpg', 1)
  await take(device, 'b.jpg', 2, { recordKey: 'other' })
  await until(async () => (await filesOf(app)).length === 1)
  expect(await photoOf(device, key)).toMatchObject({ unsent: 'yes' })
  expect(await photoRow(device, key)).toMatchObject({ state: 'waiting', payload: '' })
  parents.at.set(RECORD_KEY, { kind: 'folder', id: 'path-1' })
  // any record that reaches the CRM starts another run of the lane
  await enter(device, request)
  await photosSent(device)
  expect((await filesOf(app)).find(({ name }) => name.endsWith('a.jpg'))?.folderId).toBe('path-1')
})

test('[SV2] a photo whose record is gone is 失敗, not lost', async () => {
  parents.at.set(RECORD_KEY, { kind: 'no-record' })
  const device = await app.open()
  const key = await take(device, 'a.jpg', 1)
  await until(async () => (await photoRow(device, key))?.state !== 'waiting')
  expect(await photoRow(device, key)).toMatchObject({
    state: 'refused',
    reasons: ['ec00002'],
  })
  expect(await device.bytes.get(key)).toBeDefined()
})

test('[OC3][OC6] the answer of an upload was lost: the folder is read back, one file', async () => {
  const device = await app.open()
  await app.crm.faults.add({ id: 'lost', kind: 'lostAnswer', path: 'files/upload', count: 1 })
  const key = await take(device, 'a.jpg', 1)
  await photosSent(device)
  expect(await filesOf(app)).toHaveLength(1)
  expect(fileCalls(app, 'files/upload')).toHaveLength(1)
  expect((await photoOf(device, key))?.fileSeq).toBe((await filesOf(app))[0]?.file_seq)
})

test('[OC3][OC9] the upload never arrived: looked for twice, then sent again, one file', async () => {
  const device = await app.open()
  await app.crm.faults.add({ id: 'cut', kind: 'unreachable', path: 'files/upload', count: 1 })
  await take(device, 'a.jpg', 1)
  await photosSent(device)
  expect(await filesOf(app)).toHaveLength(1)
  const calls = app.crm.calls.filter(({ path }) => /files\/(upload|index)/.test(path))
  const [search, list] = ['POST index', 'GET index']
  expect(calls.map(({ method, path }) => `${method} ${path.split('/')[5]}`)).toEqual([
    'POST upload',
    ...[search, list, search, list],
    'POST upload',
  ])
})

test('[OC3][OC1] a crash between the upload and its answer: one file after the restart', async () => {
  const device = await app.open()
  await app.crm.faults.add({ id: 'slow', kind: 'delay', path: 'files/upload', count: 1, ms: 300 })
  const key = await take(device, 'a.jpg', 1)
  await until(async () => (await photoRow(device, key))?.state === 'sending')
  await app.close(device)
  await until(async () => (await filesOf(app)).length === 1)
  const again = await app.open()
  await photosSent(again)
  expect(await filesOf(app)).toHaveLength(1)
  expect(fileCalls(app, 'files/upload')).toHaveLength(1)
  expect(device.problems).toEqual([])
})

test('[OC2] success:false is 失敗 with ec00017; 再送 sends it', async () => {
  const device = await app.open()
  const body = { success: false, message: '容量がありません。' }
  await app.crm.faults.add({ id: 'no', kind: 'status', status: 200, body, path: 'files/upload', count: 1 })
  const key = await take(device, 'a.jpg', 1)
  await take(device, 'b.jpg', 2)
  await until(async () => (await photoRow(device, key))?.state === 'refused')
  await until(async () => (await filesOf(app)).length === 1)
  expect(await photoRow(device, key)).toMatchObject({ reasons: ['ec00017'] })
  await patchRow(device.db, key, { wish: 'resend' })
  await photosSent(device)
  expect(await filesOf(app)).toHaveLength(2)
})

test('[SV3] 破棄 of a failed photo takes it and its bytes; the others go', async () => {
  const device = await app.open()
  const body = { success: false }
  await app.crm.faults.add({ id: 'no', kind: 'status', status: 200, body, path: 'files/upload', count: 1 })
  const key = await take(device, 'a.jpg', 1)
  await until(async () => (await photoRow(device, key))?.state === 'refused')
  await patchRow(device.db, key, { wish: 'discard' })
  await until(async () => (await photoOf(device, key)) === undefined)
  await until(async () => (await device.bytes.get(key)) === undefined)
  expect(await photoRow(device, key)).toMatchObject({ state: 'discarded' })
})

test('[OC5] a token that ended: a new one, once, and the photo arrives', async () => {
  const device = await app.open()
  await take(device, 'a.jpg', 1)
  await photosSent(device)
  // the token has expired at the file store, but not by the device's clock
  app.crmNow = NOW + 31 * 60_000
  await take(device, 'b.jpg', 2)
  await photosSent(device)
  // the token has expired by the device's clock as well
  app.phone.now = NOW + 62 * 60_000
  app.crmNow = app.phone.now
  const uploads = () => fileCalls(app, 'files/upload').map(({ status }) => status)
  expect(uploads()).toEqual([200, 401, 200])
  await app.phone.signIn()
  await take(device, 'c.jpg', 3)
  await photosSent(device)
  expect(uploads()).toEqual([200, 401, 200, 200])
  // the session has expired as well: the refused call is repeated with the renewed session
  expect(fileCalls(app, '/token').filter(({ status }) => status === 200)).toHaveLength(3)
  expect(await filesOf(app)).toHaveLength(3)
})

test('[OC4] 503 and 429: the lane waits and sends once', async () => {
  const device = await app.open()
  const path = { path: 'files/upload', method: 'POST', count: 1 }
  await app.crm.faults.add({ id: '429', kind: 'status', status: 429, ...path })
  await app.crm.faults.add({ id: '503', kind: 'status', status: 503, ...path })
  await take(device, 'a.jpg', 1)
  await photosSent(device)
  expect(fileCalls(app, 'files/upload').map(({ status }) => status)).toEqual([429, 503, 200])
})

test('[OC8][OR3] 500 to one photo for ever: it waits while nothing else goes, and is 失敗 once another one went', async () => {
  const device = await app.open()
  const act = app.crm.fetch
  let refused = 0
  app.crm.fetch = async (request) => {
    const isPoison = request.url.includes('files/upload') && (await request.clone().text()).includes('a.jpg')
    if (!isPoison) return act(request)
    refused += 1
    return Response.json({ error: '故障' }, { status: 500 })
  }
  // presses 今すぐ送信, which ends each back-off
  const hurrying = (done: () => Promise<boolean>) =>
    until(async () => {
      await askRefresh(device.db, (app.phone.now += 1))
      return done()
    }, 18_000)
  const poison = await take(device, 'a.jpg', 1)
  await hurrying(async () => refused > 6)
  expect((await photoRow(device, poison))?.state).not.toBe('refused')
  const other = await take(device, 'b.jpg', 2)
  await hurrying(async () => (await photoRow(device, other))?.state === 'accepted')
  await hurrying(async () => (await photoRow(device, poison))?.state === 'refused')
  expect(await photoRow(device, poison)).toMatchObject({ reasons: ['systemError'], status: 500 })
  expect(await filesOf(app)).toHaveLength(1)
}, 60_000)

test('[EX2] a photo unsent for a day is not sent by itself; 再送 sends it', async () => {
  const device = await app.open({ online: false })
  const key = await take(device, 'a.jpg', 1)
  app.phone.now = NOW + 25 * 3_600_000
  device.network.next(true)
  await until(async () => (await photoRow(device, key))?.state === 'expired')
  expect(fileCalls(app, 'files/upload')).toHaveLength(0)
  await patchRow(device.db, key, { wish: 'resend' })
  await photosSent(device)
  expect(await filesOf(app)).toHaveLength(1)
})

test('[SV2] the folder is there no more, says the file store: 再送 asks for it again', async () => {
  const [status, body] = [200, { success: false, message: 'no such folder' }]
  const device = await app.open()
  await take(device, 'a.jpg', 1)
  await photosSent(device)
  const fault = { path: 'files/upload', kind: 'status', status, body, count: 1 } as const
  await app.crm.faults.add({ id: 'gone', ...fault })
  const key = await take(device, 'b.jpg', 2)
  await until(async () => (await photoRow(device, key))?.state === 'refused')
  await patchRow(device.db, key, { wish: 'resend' })
  await photosSent(device)
  expect(fileCalls(app, 'folders/create')).toHaveLength(2)
})

test.each([400, 403, 404, 422])(
  '[OC2] a %i in JSON before the file store is no refusal: the photos go by themselves',
  async (status) => {
    const device = await app.open()
    const fault = {
      path: 'files/upload',
      kind: 'status',
      status,
      body: { message: 'forbidden' },
      count: 1,
    } as const
    await app.crm.faults.add({ id: 'gateway', ...fault })
    const key = await take(device, 'a.jpg', 1)
    await photosSent(device)
    expect((await photoRow(device, key))?.state).toBe('accepted')
    expect(fileCalls(app, 'files/upload')).toHaveLength(2)
  },
)
