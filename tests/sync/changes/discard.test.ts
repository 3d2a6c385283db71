/** 破棄 at once and 元に戻す while the sender may be sending: on real RxDB, HTTP and the demo CRM. */
import { describe, expect, test } from 'vitest'
import { viewOf } from '#data/changes/record-views.ts'
import { discardPhotos, discardWithPhotos, isOnlyHere } from '#data/outbox/discard.ts'
import type { UndoOffer } from '#data/drafts/drafts.ts'
import { photosOf$ } from '#data/photos/photos.ts'
import { firstValueFrom } from 'rxjs'
import { pickOf, randomOf } from '../../simulate/random.ts'
import { until, type Device } from '../../support/device.ts'
import { enter, leave, nth } from '../../support/replication.ts'
import { filesOf, photoScene, photosSent, RECORD_KEY, take } from '../../support/photos.ts'
import { rowIn, rowsIn } from '../../support/stored-views.ts'

const { app } = photoScene()

const placeOf = (device: Device) => ({ ...device.saver(), bytes: device.bytes })
const changesOf = async (device: Device, key: string) =>
  (await viewOf(device.db, 'quickReports', key))?.changes ?? []
const first = async (device: Device) => nth(await device.queue(), 0)

describe('[SV2a][SV3] 破棄 of what is only here, and 元に戻す', () => {
  test('the same content comes back under another id, in its old place, and arrives once', async () => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    device.network.next(false)
    await enter(device, request)
    await leave(device, [request])
    const before = await changesOf(device, request.key)
    const item = await first(device)
    expect(isOnlyHere(item)).toBe(true)
    const way = await discardWithPhotos(placeOf(device), item, [])
    await until(async () => (await device.queue()).length === 0)
    expect(await way?.back()).toBe('back')
    const after = await changesOf(device, request.key)
    const content = before.map((change) => ({ ...change, id: expect.any(String) as string }))
    expect(after).toEqual(content)
    expect(after.map(({ id }) => id)).not.toEqual(before.map(({ id }) => id))
    device.network.next(true)
    await app.sent(device)
    expect(await app.reports(request.id)).toHaveLength(1)
    expect(app.writes().map(({ method }) => method)).toEqual(['POST', 'PUT'])
  })

  test.each(['lostAnswer', 'unreachable'] as const)(
    '[SV2] %s: of what a call has begun for by then nothing is discarded, and the CRM has it once',
    async (kind) => {
      const device = await app.open()
      const request = nth(await app.freeRequests(device), 0)
      device.network.next(false)
      await enter(device, request)
      // the item as the screen has shown it before
      const item = await first(device)
      expect(isOnlyHere(item)).toBe(true)
      await app.crm.faults.add({ id: 'slow', kind: 'delay', ms: 300, path: 'quickReport/$', count: 1 })
      await app.crm.faults.add({ id: 'lost', kind, path: 'quickReport/$', count: 1 })
      device.network.next(true)
      await until(async () => (await rowIn(device.db, item.change.id))?.state === 'sending')
      expect(await discardWithPhotos(placeOf(device), item, [])).toBeNull()
      await app.sent(device)
      expect(await app.reports(request.id)).toHaveLength(1)
      expect(device.problems).toEqual([])
    },
  )

  test('[SV2] what was discarded at once does not leave any more, were it about to', async () => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    device.network.next(false)
    await enter(device, request)
    const item = await first(device)
    // the read before the PUT is in progress: the PUT itself has not begun
    await app.crm.faults.add({ id: 'slow', kind: 'delay', ms: 300, path: '', method: 'GET', count: 'always' })
    device.network.next(true)
    const way = await discardWithPhotos(placeOf(device), item, [])
    expect(await way?.back()).toBe('back')
    await app.crm.faults.clear()
    await app.sent(device)
    expect(await app.reports(request.id)).toHaveLength(1)
    expect(device.problems).toEqual([])
  })

  test('one that was refused, or may have left, is not only here', async () => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    const refusal = { kind: 'status', status: 202, body: { message: 'ec00030' } } as const
    await app.crm.faults.add({ id: 'no', ...refusal, path: 'quickReport/$', count: 1 })
    await enter(device, request)
    await until(async () => (await first(device)).state === 'failed')
    expect(isOnlyHere(await first(device))).toBe(false)
  })

  test('photos keep their bytes for the way back, under keys of their own, and lose them after it', async () => {
    const device = await app.open({ online: false })
    const keys = [await take(device, 'a.jpg', 1), await take(device, 'b.jpg', 2)]
    const items = async () =>
      (await firstValueFrom(photosOf$(device.db, 'safetyMeasures', RECORD_KEY))).flatMap(({ unsent }) =>
        unsent ? [unsent] : [],
      )
    const held = async () => (await device.bytes.keys(Infinity)).length
    expect((await items()).every(isOnlyHere)).toBe(true)
    const given = await discardPhotos(placeOf(device), await items())
    await until(async () => (await items()).length === 0)
    await until(async () => (await held()) === keys.length)
    expect(await given?.back()).toBe('back')
    expect((await items()).map(({ record }) => record.key)).not.toEqual(expect.arrayContaining(keys))
    const again = await discardPhotos(placeOf(device), (await items()).slice(0, 1))
    await until(async () => (await items()).length === 1)
    await again?.forget()
    await until(async () => (await held()) === 1)
    device.network.next(true)
    await photosSent(device)
    expect((await filesOf(app)).map(({ name }) => name)).toEqual([expect.stringMatching(/b\.jpg$/)])
  })

  test('what makes a record takes its photos along, and they come back with it', async () => {
    const device = await app.open()
    const request = nth(await app.freeRequests(device), 0)
    device.network.next(false)
    await enter(device, request)
    await take(device, 'a.jpg', 1, { resource: 'quickReports', recordKey: request.key })
    const photos = async () =>
      (await firstValueFrom(photosOf$(device.db, 'quickReports', request.key))).flatMap(({ unsent }) =>
        unsent ? [unsent] : [],
      )
    const discard = async () => discardWithPhotos(placeOf(device), await first(device), await photos())
    const isEmpty = async () => (await device.queue()).length + (await photos()).length === 0
    const way = await discard()
    await until(isEmpty)
    expect(await way?.back()).toBe('back')
    expect([(await device.queue()).length, (await photos()).length]).toEqual([1, 1])
    const again = await discard()
    await until(isEmpty)
    await again?.forget()
    device.network.next(true)
    await app.sent(device)
    expect(await app.reports(request.id)).toEqual([])
    expect(await device.bytes.keys(Infinity)).toEqual([])
    expect((await rowsIn(device.db, { state: 'refused' })).length).toBe(0)
  })

  test.each([3, 7, 11, 19])(
    'seed %i: whatever is discarded and taken back, whenever, each report is made at most once',
    async (seed) => {
      const random = randomOf(seed)
      const device = await app.open()
      const free = (await app.freeRequests(device)).slice(0, 4)
      const ways: { id: string; way: UndoOffer }[] = []
      const ends = new Map<string, 'kept' | 'discarded' | 'back' | 'tooLate'>()
      for (const request of free) {
        device.network.next(random() < 0.5)
        await app.crm.faults.add({
          ...(pickOf(
            [
              { kind: 'delay', ms: 120 },
              { kind: 'lostAnswer' },
              { kind: 'unreachable' },
              { kind: 'status', status: 500, after: true },
            ] as const,
            random(),
          ) ?? { kind: 'lostAnswer' }),
          id: `fault ${request.id}`,
          path: 'quickReport/',
          method: 'POST',
          count: 1,
        })
        await enter(device, request)
        ends.set(request.id, 'kept')
        await new Promise((resolve) => setTimeout(resolve, random() * 80))
        const item = (await device.queue()).find(({ record }) => record.requestId === request.id)
        if (!item || !isOnlyHere(item)) continue
        const way = await discardWithPhotos(placeOf(device), item, [])
        // a call of the change had begun, so it is not discarded at once
        if (!way) continue
        ends.set(request.id, 'discarded')
        if (random() < 0.7) ways.push({ id: request.id, way })
        await new Promise((resolve) => setTimeout(resolve, random() * 80))
        device.network.next(random() < 0.7)
      }
      for (const { id, way } of ways) ends.set(id, await way.back())
      await app.crm.faults.clear()
      device.network.next(true)
      await until(async () => (await device.queue()).length === 0, 60_000)
      for (const [id, end] of ends) {
        const made = (await app.reports(id)).length
        expect(made, `${id} ${end}`).toBeLessThanOrEqual(1)
        // no change is lost before the CRM has confirmed it
        expect(made, `${id} ${end}`).toBe(end === 'discarded' ? 0 : 1)
      }
      expect(device.problems).toEqual([])
    },
    90_000,
  )
})
