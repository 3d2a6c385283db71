/** The save of a form with photos, cut short at every step: no photo is lost, none goes before its record (data/drafts/drafts). */
import { describe, expect, test } from 'vitest'
import { addDraftPhoto, draftOf, dropDraft, storeValues, placePhoto, takeDraft } from '#data/drafts/drafts.ts'
import { settleDrafts } from '#data/drafts/save-draft.ts'
import { savePhotos } from '#data/photos/photos.ts'
import type { Saver } from '#data/changes/changes.ts'
import { dependentsOf, expireDrafts } from '#sync/retention/expiry.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { PHRASES_DRAFT, photoChainDraft, sheetDraft, signatureDraft } from '#schemas/resources/visit-key.ts'
import { until, type Device } from '../../support/device.ts'
import { CRASH, KEY, saveForm, saverOf, take, targetOf, underground, write } from '../../support/drafts.ts'
import { fileCalls, filesOf, jpeg, photosSent, sha256 } from '../../support/photos.ts'
import { nth, NOW, todayScene } from '../../support/replication.ts'

const app = todayScene()
const HOUR = 3_600_000

const crash = async (): Promise<never> => {
  throw CRASH
}

const reports = async () =>
  (await app.crm.inspect()).emergencyReports.filter(({ origin }) => origin === 'call')

/** The tab dies and the app is started again on the same storage, as openUserData does it. */
async function restart(device: Device) {
  await app.close(device)
  const next = await app.open({ online: false })
  await settleDrafts(saverOf(next))
  return next
}

describe('[SV1d][OR2] a crash in the save of a form with photos', () => {
  test('a photo that was saved before it and given up since does not come back', async () => {
    const { device, request } = await underground(app)
    await take(device, 'p1', 1)
    const target = targetOf(request, 'e1')
    const draft = await draftOf(device.db, KEY)
    const cut = async (saver: Saver) => {
      await write(saver, request, 'e1')
      await savePhotos(
        saver,
        (draft?.photos ?? []).map((photo) => ({ ...photo, ...target })),
      )
      return crash()
    }
    await expect(saveForm(device, KEY, target, cut)).rejects.toBe(CRASH)
    await (await device.db.photos.findOne('p1').exec(true)).incrementalRemove()
    await device.bytes.remove('p1')
    const next = await restart(device)
    expect(await next.db.photos.find().exec()).toEqual([])
    expect(await draftOf(next.db, KEY)).toBeNull()
  })

  test('before the record: the draft is there again, with the photo, and can be saved', async () => {
    const { device, request } = await underground(app)
    const hash = await take(device, 'p1', 1)
    await expect(saveForm(device, KEY, targetOf(request, 'e1'), crash)).rejects.toBe(CRASH)
    const next = await restart(device)
    expect(await draftOf(next.db, KEY)).toMatchObject({ saving: '', photos: [{ key: 'p1' }] })
    expect(await next.db.photos.find().exec()).toEqual([])
    await saveForm(next, KEY, targetOf(request, 'e2'), (saver) => write(saver, request, 'e2'))
    next.network.next(true)
    await photosSent(next)
    expect((await filesOf(app)).map((file) => file.sha256)).toEqual([hash])
    expect(await reports()).toHaveLength(1)
  })

  test('after the record: the next start ends it; the photo goes after its record, once', async () => {
    const { device, request } = await underground(app)
    await storeValues(device.db, KEY, { emergencyContentsDetails: '汚水' })
    const hash = await take(device, 'p1', 1)
    const target = targetOf(request, 'e1')
    const cut = (saver: Saver) => write(saver, request, 'e1').then(crash)
    await expect(saveForm(device, KEY, target, cut)).rejects.toBe(CRASH)
    const next = await restart(device)
    expect(await draftOf(next.db, KEY)).toBeNull()
    await settleDrafts(saverOf(next))
    next.network.next(true)
    await photosSent(next)
    expect((await filesOf(app)).map((file) => file.sha256)).toEqual([hash])
    expect(await reports()).toHaveLength(1)
    const posted = app.crm.calls.findIndex(
      ({ method, path }) => method === 'POST' && path.includes('emergencyReport'),
    )
    const uploaded = app.crm.calls.findIndex(({ path }) => path.includes('files/upload'))
    expect(uploaded).toBeGreaterThan(posted)
    expect(fileCalls(app, 'files/upload')).toHaveLength(1)
  })

  test.each([0, 1])('with %i of two photos there already: each is there once', async (there) => {
    const { device, request } = await underground(app)
    await take(device, 'p1', 1)
    await take(device, 'p2', 2)
    const target = targetOf(request, 'e1')
    const draft = await draftOf(device.db, KEY)
    const some = (draft?.photos ?? []).slice(0, there).map((photo) => ({ ...photo, ...target }))
    const cut = async (saver: Saver) => {
      await write(saver, request, 'e1')
      await savePhotos(saver, some)
    }
    await expect(saveForm(device, KEY, target, cut, 1 + there)).rejects.toBe(CRASH)
    expect(await device.db.photos.find().exec()).toHaveLength(there)
    const next = await restart(device)
    const saved = await next.db.photos.find().exec()
    expect(saved.map(({ key, recordKey }) => [key, recordKey])).toEqual([
      ['p1', 'e1'],
      ['p2', 'e1'],
    ])
  })
})

describe('[SV3b] bytes', () => {
  test('of a draft survive the sweep of a start, however old; given up with it they go', async () => {
    const { device } = await underground(app)
    await take(device, 'p1', 1)
    await device.bytes.put('nobody', jpeg(9))
    app.phone.now = NOW + 30 * HOUR
    await app.close(device)
    const running = await app.open({ online: false })
    // the clock alone makes nothing old (EX3): so long the app has run now, and what was read is over
    app.phone.ran += 30 * HOUR
    const requests = () => running.db.requests.find().exec()
    await until(async () => (await requests()).length <= 1)
    await app.close(running)
    const next = await app.open({ online: false })
    await until(async () => (await next.bytes.get('nobody')) === undefined)
    expect(sha256(await next.bytes.get('p1'))).toBe(sha256(jpeg(1)))
    await dropDraft(next, KEY)
    expect(await next.bytes.get('p1')).toBeUndefined()
    expect(await draftOf(next.db, KEY)).toBeNull()
  })

  test('[decisions/camera] of a photo that another one replaces are deleted; the other follows the photo it was made of', async () => {
    const { device } = await underground(app)
    for (const [seed, key] of ['p1', 'p2', 'old'].entries()) await take(device, key, seed + 1)
    const bytes = jpeg(9)
    const photo = { key: 'new', name: 'old.jpg', placeInfo: '', takenAt: '2026-11-20T10:00:00+09:00' }
    const made = { ...photo, size: bytes.byteLength, type: 'image/jpeg' as const }
    const position = { after: 'p1', instead: ['old', 'unknown'] }
    await addDraftPhoto(device, KEY, made, { bytes, thumb: undefined }, position)
    expect((await draftOf(device.db, KEY))?.photos.map(({ key, name }) => [key, name])).toEqual([
      ['p1', 'p1.jpg'],
      ['new', 'old.jpg'],
      ['p2', 'p2.jpg'],
    ])
    expect(await device.bytes.get('old')).toBeUndefined()
    expect(sha256(await device.bytes.get('new'))).toBe(sha256(bytes))
  })

  test('of a photo that was saved stay when its draft goes', async () => {
    const { device, request } = await underground(app)
    await take(device, 'p1', 1)
    await saveForm(device, KEY, targetOf(request, 'e1'), (saver) => write(saver, request, 'e1'))
    await dropDraft(device, KEY)
    expect(await device.bytes.get('p1')).toBeDefined()
  })
})

test('a position that comes late finds its photo, in the draft or saved', async () => {
  const { device, request } = await underground(app)
  await take(device, 'p1', 1)
  await placePhoto(device.db, KEY, 'p1', '35.1,139.1')
  expect((await draftOf(device.db, KEY))?.photos[0]?.placeInfo).toBe('35.1,139.1')
  await saveForm(device, KEY, targetOf(request, 'e1'), (saver) => write(saver, request, 'e1'))
  await placePhoto(device.db, KEY, 'p1', '35.2,139.2')
  expect((await device.db.photos.findOne('p1').exec())?.placeInfo).toBe('35.2,139.2')
})

test('[OR2] online the photo of a new record waits for it, and is never refused', async () => {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  await app.crm.faults.add({ id: 'slow', kind: 'delay', path: 'emergencyReport', count: 1, ms: 400 })
  await take(device, 'p1', 1)
  const states = new Set<string>()
  device.db.photos.findOne('p1').$.subscribe((photo) => photo && states.add(photo.state))
  await saveForm(device, KEY, targetOf(request, 'e1'), (saver) => write(saver, request, 'e1'))
  await photosSent(device)
  expect(states).not.toContain('refused')
  expect((await filesOf(app)).map((file) => file.sha256)).toEqual([sha256(jpeg(1))])
})

describe('[SV1] a draft that is made stands whole at once', () => {
  const TYPED = { emergencyContentsDetails: '満水' }
  /** What anybody can see of it, from its first moment on. */
  function watched({ db }: Device) {
    const seen: { values: string; photos: number }[] = []
    db.drafts.$.subscribe(({ documentData, operation }) => {
      if (operation === 'DELETE') return
      seen.push({ values: documentData.values, photos: documentData.photos.length })
    })
    return seen
  }

  test('typed, and had back after it was given up', async () => {
    const { device } = await underground(app)
    const seen = watched(device)
    await storeValues(device.db, KEY, TYPED)
    await take(device, 'p1', 1)
    const way = await takeDraft(device, KEY)
    expect(await draftOf(device.db, KEY)).toBeNull()
    await way?.back()
    await until(async () => seen.length > 2)
    const values = JSON.stringify(TYPED)
    expect(seen).toEqual([
      { values, photos: 0 },
      { values, photos: 1 },
      { values, photos: 1 },
    ])
  })

  test('typed and photographed in one moment, and dropped in between: each is there once', async () => {
    const { device } = await underground(app)
    await storeValues(device.db, KEY, {})
    await Promise.all([
      dropDraft(device, KEY),
      storeValues(device.db, KEY, TYPED),
      take(device, 'p1', 1),
      take(device, 'p2', 2),
    ])
    const draft = await draftOf(device.db, KEY)
    expect(draft?.values).toBe(JSON.stringify(TYPED))
    expect(draft?.photos.map(({ key }) => key).toSorted()).toEqual(['p1', 'p2'])
  })
})

describe('[EX1] a draft that nobody opens again', () => {
  /** As the leading tab does it now and then. The storage's own clock says when a draft was touched. */
  const expireAfter = (device: Device, hours: number) =>
    expireDrafts(device.db, device.bytes, Date.now() + (hours - 24) * HOUR)

  test('goes a day after it was touched, with its photos; not before; the user’s own sentences stay', async () => {
    const { device } = await underground(app)
    await storeValues(device.db, PHRASES_DRAFT, { sentences: ['鍵は青い箱の中です。'] })
    await storeValues(device.db, KEY, { emergencyContentsDetails: '満水' })
    await take(device, 'p1', 1)
    await expireAfter(device, 23)
    expect((await draftOf(device.db, KEY))?.photos).toHaveLength(1)
    expect(await device.bytes.get('p1')).toBeDefined()
    await expireAfter(device, 25)
    expect(await draftOf(device.db, KEY)).toBeNull()
    expect(await device.bytes.get('p1')).toBeUndefined()
    expect(await draftOf(device.db, PHRASES_DRAFT)).not.toBeNull()
  })

  test.each<[string, (visit: RequestRecord) => string]>([
    ['signature', ({ key }) => signatureDraft(key)],
    ['sheet', ({ key }) => sheetDraft('gas', key)],
    ['record of a day’s photos', ({ workingDate }) => photoChainDraft(workingDate)],
  ])('[issue 54] a %s goes after its visit, and does not hold it on the device', async (_, keyOf) => {
    const { device, request } = await underground(app)
    const key = keyOf(request)
    await storeValues(device.db, key, { name: '山田 花子', at: '', strokes: [[1, 2, 3, 4]] })
    expect((await dependentsOf(device.db)).onRequest(request)).toBe(false)
    await expireAfter(device, 25)
    expect(await draftOf(device.db, key)).not.toBeNull()
    await device.db.requests.find({ selector: { workingDate: request.workingDate } }).remove()
    await expireAfter(device, 23)
    expect(await draftOf(device.db, key)).not.toBeNull()
    await expireAfter(device, 25)
    expect(await draftOf(device.db, key)).toBeNull()
  })

  test('the photos of what was saved stay', async () => {
    const { device, request } = await underground(app)
    await take(device, 'p1', 1)
    await saveForm(device, KEY, targetOf(request, 'e-1'), (saver) => write(saver, request, 'e-1'))
    await take(device, 'p2', 2)
    const draft = await device.db.drafts.findOne(KEY).exec(true)
    const [saved] = await device.db.photos.find().exec()
    expect(saved?.key).toBe('p1')
    // a crash between the save of the photos and the end of the draft
    await draft.incrementalModify((data) => ({
      ...data,
      photos: [{ ...nth(data.photos, 0), key: 'p1' }, ...data.photos],
    }))
    await expireAfter(device, 25)
    expect(await draftOf(device.db, KEY)).toBeNull()
    expect(await device.bytes.get('p1')).toBeDefined()
    expect(await device.bytes.get('p2')).toBeUndefined()
  })

  test('a save that has begun is ended at the next start, however long ago it was', async () => {
    const { device, request } = await underground(app)
    await take(device, 'p1', 1)
    const target = targetOf(request, 'e-1')
    await expect(
      saveForm(device, KEY, target, async (saver) => {
        await write(saver, request, 'e-1')
        throw CRASH
      }),
    ).rejects.toThrow(CRASH)
    await expireAfter(device, 48)
    const next = await restart(device)
    expect((await next.db.photos.find().exec()).map(({ key }) => key)).toEqual(['p1'])
    expect(await next.bytes.get('p1')).toBeDefined()
  })
})
