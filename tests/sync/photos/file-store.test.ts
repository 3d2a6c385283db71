import { expect, test } from 'vitest'
import { filesOf, jpeg, otherPhone, sha256 } from '../../support/photos.ts'
import { NOW, nth, todayScene } from '../../support/replication.ts'

const app = todayScene()
const FILE = { name: '現場 "1".jpg', type: 'image/jpeg', bytes: jpeg(1) }
const value = <T>(result: { kind: string } | { kind: 'accepted'; value: T }): T => {
  if (!('value' in result)) throw new Error(result.kind)
  return result.value
}

async function signedIn() {
  await app.phone.signIn()
  return otherPhone(app)
}

test('[contract 5] folders, files, search', async () => {
  const files = await signedIn()
  const folder = value(await files.makeFolder('sf-1', 'S-1'))
  expect(value(await files.makeFolder('sf-1', 'S-1'))).toBe(folder)
  expect(value(await files.folders('sf-1'))).toEqual([{ id: folder, name: 'S-1' }])
  const fileSeq = value(await files.upload(folder, FILE))
  const { name } = nth(await filesOf(app), 0)
  expect(value(await files.files(folder))).toEqual([{ file_seq: fileSeq, name }])
  expect(value(await files.search(folder, '現場'))).toHaveLength(1)
  expect(value(await files.search(folder, 'ピット'))).toEqual([])
  expect(sha256(value(await files.bytes(folder, { fileSeq, name })))).toBe(sha256(FILE.bytes))
  expect(await files.rename(folder, { fileSeq, name: 'b.jpg' })).toEqual({ kind: 'accepted', value: null })
  expect(await files.remove(folder, fileSeq)).toEqual({ kind: 'accepted', value: null })
  expect(value(await files.files(folder))).toEqual([])
})

test('[contract 5] success:false is a refusal with its message, for an upload ec00017', async () => {
  const files = await signedIn()
  expect(await files.upload('fd-nowhere', FILE)).toMatchObject({ kind: 'refused', reasons: ['ec00017'] })
  expect(await files.remove('sf-1', '1')).toMatchObject({
    kind: 'refused',
    reasons: ['ファイルがありません。'],
  })
  expect(await files.bytes('sf-1', { fileSeq: '1', name: 'a' })).toMatchObject({ kind: 'refused' })
})

test('[OC3] an answer of another shape, or a page of somebody else, says nothing', async () => {
  const files = await signedIn()
  const path = 'files/upload'
  for (const body of [{}, [], { success: true }, { success: 'yes', file_seq: '1', name: 'a' }]) {
    await app.crm.faults.add({ id: 'odd', kind: 'status', status: 200, body, path, count: 1 })
    expect(await files.upload('sf-1', FILE)).toMatchObject({ kind: 'unknown' })
  }
  await app.crm.faults.add({ id: 'wifi', kind: 'captivePortal', path, count: 1 })
  expect(await files.upload('sf-1', FILE)).toMatchObject({ kind: 'unknown' })
})

test('identical reads at the same time are one call; a fresh one never is', async () => {
  const files = await signedIn()
  const count = () => app.crm.calls.filter(({ path }) => path.includes('files/index')).length
  await Promise.all([files.files('sf-1'), files.files('sf-1'), files.files('sf-2')])
  expect(count()).toBe(2)
  await Promise.all([files.files('sf-1'), files.files('sf-1', true), files.files('sf-1', true)])
  expect(count()).toBe(5)
})

test('[OC5] one token for calls at the same time; a 401 renews it once and no more', async () => {
  const files = await signedIn()
  const tokens = () =>
    app.crm.calls.filter(({ path, status }) => path.endsWith('/token') && status === 200).length
  await Promise.all([files.files('sf-1'), files.files('sf-2'), files.files('sf-3')])
  expect(tokens()).toBe(1)
  app.crmNow = NOW + 31 * 60_000
  await Promise.all([files.files('sf-1'), files.files('sf-2'), files.files('sf-3')])
  expect(tokens()).toBe(2)
  await app.crm.faults.add({ id: '401', kind: 'status', status: 401, path: 'files/index', count: 2 })
  expect(await files.files('sf-1')).toMatchObject({ kind: 'unauthorized' })
  expect(tokens()).toBe(3)
})

test('[OC5] a device whose clock is hours ahead takes a token once, too, and a new one where the file store says 401', async () => {
  await app.phone.signIn()
  const files = otherPhone(app, NOW + 5 * 3_600_000)
  const tokens = () =>
    app.crm.calls.filter(({ path, status }) => path.endsWith('/token') && status === 200).length
  for (const folder of ['sf-1', 'sf-2', 'sf-3']) await files.files(folder)
  expect(tokens()).toBe(1)
  app.crmNow = NOW + 31 * 60_000
  expect(await files.files('sf-4')).toMatchObject({ kind: 'accepted' })
  expect(tokens()).toBe(2)
})

test('[SV4] nobody signed in: nothing leaves', async () => {
  const files = await signedIn()
  app.phone.session.next(null)
  const before = app.crm.calls.length
  expect(await files.files('sf-1')).toMatchObject({ kind: 'unauthorized' })
  expect(app.crm.calls).toHaveLength(before)
})

test.each([
  ['unreachable', { kind: 'unreachable' as const }],
  ['5xx', { kind: 'status' as const, status: 500 }],
  ['a page', { kind: 'captivePortal' as const }],
  ['a redirect', { kind: 'status' as const, status: 302, headers: { location: '/login' } }],
  ['202', { kind: 'status' as const, status: 202, body: { message: 'ec00030' } }],
  ['400', { kind: 'status' as const, status: 400, body: { error: 'no' } }],
  ['403', { kind: 'status' as const, status: 403, body: { error: 'no' } }],
  ['404', { kind: 'status' as const, status: 404, body: { error: 'no' } }],
])('[OC4] no token (%s): the upload has certainly not left', async (_, fault) => {
  const files = await signedIn()
  await app.crm.faults.add({ id: 'no', path: '/token', count: 1, ...fault })
  expect(await files.upload('sf-1', FILE)).toEqual({ kind: 'unreachable' })
})
