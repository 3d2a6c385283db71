/** An ambiguous act of a photo is read back before it expires, fails, or is discarded or sent again (RULES OC3, EX2). */
import { describe, expect, test } from 'vitest'
import type { SendFacts } from '#schemas/change.ts'
import { wish as wishOf } from '#data/fetch-requests/wishes.ts'
import { deletePhoto } from '#data/photos/photos.ts'
import { renamePhoto } from '../../support/rename-photo.ts'
import type { SendStates } from '#sync/changes/send-adapter.ts'
import { createFileStore } from '#sync/photos/file-store.ts'
import { MAX_SERVER_ERRORS } from '#sync/changes/attempt.ts'
import { createPhotoFolders } from '#sync/photos/photo-place.ts'
import type { PhotoStore } from '#sync/photos/photo-store.ts'
import { applyPhotoRequests } from '#sync/photos/send-photo.ts'
import { createHttp } from '#sync/transport/http.ts'
import { pageLocks } from '../../support/page-locks.ts'
import { until, type Device } from '../../support/device.ts'
import {
  fileCalls,
  filesOf,
  photoOf,
  photoRow,
  photoScene,
  photosSent,
  RECORD_KEY,
  take,
} from '../../support/photos.ts'
import { doubtOf, itemOf, stateOf, wish } from '../../support/photo-doubt.ts'
import { photoSenderOf } from '../../support/photo-sender.ts'
import { NOW } from '../../support/replication.ts'
import { patchRow } from '../../support/stored-views.ts'

const { app, parents } = photoScene()
const { fault, hurrying, inDoubt, lost, silent } = doubtOf(app)
const gone = (device: Device, key: string) => until(async () => (await photoOf(device, key)) === undefined)
/** The waits between calls are this many times shorter than in the app. */
const HASTE = 20

async function sent(device: Device) {
  const key = await take(device, 'a.jpg', 1)
  await photosSent(device)
  return key
}

describe('an upload in doubt', () => {
  test('[EX2] is looked for before it expires', async () => {
    const device = await app.open()
    const key = await inDoubt(device)
    app.phone.now = NOW + 25 * 3_600_000
    await app.crm.faults.remove('silent')
    await photosSent(device)
    expect(await photoRow(device, key)).toMatchObject({ state: 'accepted' })
    expect(fileCalls(app, 'files/upload')).toHaveLength(1)
  })

  test('[SV2] is looked for before it is left without a record', async () => {
    const device = await app.open()
    const key = await inDoubt(device)
    parents.at.set(RECORD_KEY, { kind: 'no-record' })
    await app.crm.faults.remove('silent')
    await photosSent(device)
    expect(await photoRow(device, key)).toMatchObject({ state: 'accepted' })
  })

  test.each([400, 404])('[OC6] %i to the question is no answer: it is not sent again', async (status) => {
    const device = await app.open()
    await lost('files/upload')
    await fault('no', 'files/index', status, 2)
    await take(device, 'a.jpg', 1)
    await hurrying(
      device,
      async () => (await filesOf(app)).length > 0 && fileCalls(app, 'files/index').length > 2,
    )
    await photosSent(device)
    expect(fileCalls(app, 'files/upload')).toHaveLength(1)
    expect(await filesOf(app)).toHaveLength(1)
  })

  test('[OC6][OC8] 5xx to the question, and nothing else goes: it waits, and is there once when the CRM answers', async () => {
    app.phone.haste = HASTE
    const device = await app.open()
    await lost('files/upload')
    await fault('silent', 'files/index', 500, 'always')
    const key = await take(device, 'a.jpg', 1)
    await until(() => fileCalls(app, 'files/index').length > 6)
    expect(await stateOf(device, key)).toBe('unknown')
    await app.crm.faults.remove('silent')
    await until(async () => (await stateOf(device, key)) === 'accepted')
    expect(fileCalls(app, 'files/upload')).toHaveLength(1)
  })

  test('[OR3][OC8] 5xx to the question, while others go at once: 失敗; 破棄 looks once more', async () => {
    app.phone.haste = HASTE
    const device = await app.open()
    await lost('files/upload')
    await fault('silent', 'files/index', 500, 'always')
    const key = await take(device, 'a.jpg', 1)
    const asked = () => fileCalls(app, 'files/index').length
    await until(() => asked() > 6)
    // no other photo was accepted, so the file store may be at fault
    expect(await stateOf(device, key)).toBe('unknown')
    const errors = async () => (await photoRow(device, key))?.serverErrors ?? 0
    let others = 0
    for (; others < MAX_SERVER_ERRORS; others += 1) {
      const known = await errors()
      const other = await take(device, `b${others}.jpg`, 2 + others)
      await until(async () => (await stateOf(device, other)) === 'accepted')
      await until(async () => (await errors()) > known)
    }
    expect(await photoRow(device, key)).toMatchObject({ state: 'refused', reasons: ['systemError'] })
    await app.crm.faults.remove('silent')
    await wish(device, key, 'discard')
    await gone(device, key)
    expect(await filesOf(app)).toHaveLength(others)
  })
})

describe('破棄', () => {
  test('[SV3] of a refused rename leaves alone the name that was given after it', async () => {
    const device = await app.open()
    const key = await sent(device)
    const body = { success: false }
    await app.crm.faults.add({ id: 'no', kind: 'status', status: 200, body, path: 'files/rename', count: 1 })
    await renamePhoto(device.saver(), key, 'b.jpg')
    await until(async () => (await stateOf(device, key)) === 'refused')
    const first = await itemOf(device, key)
    device.network.next(false)
    await renamePhoto(device.saver(), key, 'c.jpg')
    await wishOf(device.db, first, 'discard')
    device.network.next(true)
    await photosSent(device)
    const [file] = await filesOf(app)
    expect(file?.name).toContain('c.jpg')
    expect((await photoOf(device, key))?.name).toBe(file?.name)
  })

  test('[ST1] of a rename that has arrived: the name is the one that the file has', async () => {
    const device = await app.open()
    const key = await sent(device)
    await silent()
    await lost('files/rename')
    await renamePhoto(device.saver(), key, 'b.jpg')
    await until(async () => (await stateOf(device, key)) === 'unknown')
    await wish(device, key, 'discard')
    await app.crm.faults.remove('silent')
    await photosSent(device)
    const [file] = await filesOf(app)
    expect(file?.name).toContain('b.jpg')
    expect(await photoOf(device, key)).toMatchObject({ name: file?.name, storeName: file?.name })
    await until(async () => (await photoRow(device, key))?.wish === 'none')
  })

  test('[ST1] of a deletion that has arrived: the photo is gone; of one that has not, it stays', async () => {
    const device = await app.open()
    const key = await sent(device)
    await silent()
    await lost('files/delete')
    await deletePhoto(device.saver(), key)
    await until(async () => (await stateOf(device, key)) === 'unknown')
    await wish(device, key, 'discard')
    await app.crm.faults.remove('silent')
    await gone(device, key)
    const other = await take(device, 'b.jpg', 2)
    await photosSent(device)
    await silent()
    await app.crm.faults.add({ id: 'cut', kind: 'unreachable', path: 'files/delete', count: 1 })
    await deletePhoto(device.saver(), other)
    await until(async () => (await stateOf(device, other)) === 'unknown')
    await wish(device, other, 'discard')
    await app.crm.faults.remove('silent')
    await until(async () => (await stateOf(device, other)) === 'discarded')
    await photosSent(device)
    expect(await photoOf(device, other)).toMatchObject({ wanted: 'kept' })
    expect(await filesOf(app)).toHaveLength(1)
  })

  test('[SV2] is tried again where a full disk stands in the way', async () => {
    const device = await app.open({ online: false })
    const key = await take(device, 'a.jpg', 1)
    const { photos } = device.db
    const findByIds = photos.findByIds.bind(photos)
    let failures = 1
    photos.findByIds = (ids) => {
      if ((failures -= 1) >= 0) throw new DOMException('disk full', 'QuotaExceededError')
      return findByIds(ids)
    }
    await patchRow(device.db, key, { state: 'refused', wish: 'discard' })
    await gone(device, key)
    expect(failures).toBeLessThan(0)
    expect(await stateOf(device, key)).toBe('discarded')
  })

  test('that is asked for while 再送 is carried out is not taken back with it', async () => {
    const device = await app.open({ online: false })
    const key = await take(device, 'a.jpg', 1)
    const facts = await photoRow(device, key)
    if (!facts) throw new Error('no photo')
    let row: SendFacts = { ...facts, state: 'refused', wish: 'resend' }
    const states: Partial<SendStates> = {
      sendFacts: async () => new Map([[key, row]]),
      async putById(_, __, written) {
        row = { ...row, wish: 'discard', ...written }
      },
      async clearWish(_, wished) {
        if (row.wish === wished) row = { ...row, wish: 'none' }
      },
    }
    const store = { name: 'db', ...states, within: () => store } as unknown as PhotoStore
    await applyPhotoRequests({ store, locks: pageLocks(60_000), now: () => NOW })([key])
    expect(row.wish).toBe('discard')
  })
})

test('[SV2] a write that fails strands no photo: it is tried again, and holds up no other', async () => {
  const unsent = ['a', 'b']
  const told: string[] = []
  const sends: string[] = []
  const sender = photoSenderOf(() => unsent, {
    gate: { failed: () => void told.push('later') },
    async send(key) {
      sends.push(key)
      if (sends.length === 1) throw new DOMException('disk full', 'QuotaExceededError')
      unsent.splice(unsent.indexOf(key), 1)
      return { kind: 'done' }
    },
    accepted: () => 2 - unsent.length,
    failed: (error) => void told.push(String(error)),
  })
  sender.wake(0)
  await until(() => unsent.length === 0)
  expect(sends).toEqual(['a', 'b', 'a'])
  expect(told).toEqual([expect.stringContaining('disk full'), 'later'])
})

test('[TB2] a folder is not asked for once another tab may have its lock', async () => {
  let calls = 0
  const fetch = async () => {
    calls += 1
    return new Response('{}')
  }
  const http = createHttp({ fetch, securityKey: 'k' })
  const token = { authorized: <T>(send: (value: string) => Promise<T>) => send('t') }
  const files = createFileStore({ http, token, url: 'http://localhost/fs', now: () => NOW })
  const folders = createPhotoFolders(files, { request: (_, run) => run({ allows: () => false }) })
  expect(await folders.folderFor('p', 'n')).toEqual({ kind: 'unreachable', held: true })
  expect(calls).toBe(0)
})

test.each([
  ['decomposed', (name: string) => name.normalize('NFD')],
  ['with other signs', (name: string) => name.replaceAll(/[ ①👍]/gu, '_')],
])(
  '[OC3][OC6] the answer of an upload was lost, the folder lists its name %s: one file',
  async (_, spelled) => {
    const device = await app.open()
    const { fetch } = app.crm
    app.crm.fetch = async (request) => {
      const response = await fetch(request)
      return /files\/index/.test(request.url) ? spelledAnswer(response, spelled) : response
    }
    await app.crm.faults.add({ id: 'lost', kind: 'lostAnswer', path: 'files/upload', count: 1 })
    await take(device, 'ポンプ室 ①👍.jpg', 1)
    await photosSent(device)
    expect(await filesOf(app)).toHaveLength(1)
    expect(fileCalls(app, 'files/upload')).toHaveLength(1)
  },
)

async function spelledAnswer(response: Response, spelled: (name: string) => string): Promise<Response> {
  const text = JSON.stringify(await response.json(), (key, value: unknown) =>
    key === 'name' && typeof value === 'string' ? spelled(value) : value,
  )
  return new Response(text, { status: response.status, headers: response.headers })
}
