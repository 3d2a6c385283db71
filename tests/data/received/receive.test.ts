/** What the worker stores of a share, who can read it, and for how long (decisions/photos). */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { RECEIVED_MAX } from '#lib/received-left.ts'
import { RECEIVED_BYTES_MAX } from '#data/received/receive.ts'
import { expireReceived, forgetReceived, stillReceives } from '#data/received/received-store.ts'
import { dataKey, sealerOf } from '../../support/seal-keys.ts'
import { bytesOf, jpegFile, NOW, receiving } from './receiving.ts'

const HOUR_MS = 3_600_000

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('IDBKeyRange', IDBKeyRange)
})
afterEach(() => vi.unstubAllGlobals())

describe('[decisions/photos] a shared photo', () => {
  test('waits encrypted, and is the same file for its user: bytes, name, type and time', async () => {
    const phone = receiving({ sealer: sealerOf(await dataKey('k-1')) })
    await phone.signIn()
    const file = jpegFile('現場CANARY.jpg')
    expect(await phone.share([file])).toEqual([])
    const [photo] = await phone.store.waiting()
    expect(photo).toMatchObject({ user: 'genba-1', at: NOW, size: 2_000 })
    const stored = await phone.store.bytes(photo?.id ?? '')
    const onDisk = [stored, photo?.about].map((each) => Buffer.from(each ?? new ArrayBuffer(0)))
    expect(onDisk.some((each) => each.includes('CANARY'))).toBe(false)
    expect(onDisk[0]?.includes(Buffer.from(await file.arrayBuffer()).subarray(4, 40))).toBe(false)
    const [opened] = await phone.opened()
    expect(opened).toMatchObject({ name: file.name, type: file.type, lastModified: file.lastModified })
    expect(await bytesOf(opened ?? new Blob())).toBe(await bytesOf(file))
  })

  test('opens with no other key, and not where it was put in the place of another one', async () => {
    const phone = receiving({ sealer: sealerOf(await dataKey('k-1')) })
    await phone.signIn()
    await phone.share([jpegFile('a.jpg'), jpegFile('b.jpg')])
    const other = receiving({ sealer: sealerOf(await dataKey('k-2')) })
    expect(await other.opened()).toEqual([null, null])
    const [first, second] = await phone.store.waiting()
    if (!first || !second) throw new Error('not stored')
    await phone.store.add(
      { ...second, id: first.id },
      (await phone.store.bytes(second.id)) ?? new ArrayBuffer(0),
    )
    const names = (await phone.opened()).map((file) => file?.name ?? '')
    expect(names.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['', 'b.jpg'])
  })

  test('a pair whose public key was replaced is not used: the next start makes another one', async () => {
    const phone = receiving({ sealer: sealerOf(await dataKey('k-1')) })
    await phone.signIn()
    const [own] = await phone.store.receivers()
    if (!own) throw new Error('no pair')
    const strange = new Uint8Array(own.publicKey.slice(0))
    strange[5] = (strange[5] ?? 0) ^ 1
    await phone.store.setReceiver({ ...own, publicKey: strange.buffer })
    await phone.signIn()
    const [next] = await phone.store.receivers()
    expect(Buffer.from(next?.publicKey ?? strange.buffer).equals(strange)).toBe(false)
    await phone.share([jpegFile('a.jpg')])
    expect(await phone.opened()).toMatchObject([{ name: 'a.jpg' }])
  })

  test('before anybody has signed in, nothing is stored', async () => {
    const phone = receiving()
    expect(await phone.share([jpegFile('a.jpg'), jpegFile('b.jpg')])).toEqual([{ why: 'login', n: 2 }])
    expect(await phone.store.waiting()).toEqual([])
  })
})

describe('[decisions/photos] what is not stored is said', () => {
  test('no photo by its content, and one that is too large, beside a good one', async () => {
    const phone = receiving()
    await phone.signIn()
    const text = new File(['<html>'.repeat(9)], 'a.jpg', { type: 'image/jpeg' })
    const large = jpegFile('large.jpg')
    Object.defineProperty(large, 'size', { value: 41 * 1024 * 1024 })
    const left = await phone.share([text, jpegFile('b.jpg'), large, text])
    expect(left).toEqual([
      { why: 'ec00015', n: 2 },
      { why: 'ec00016', n: 1 },
    ])
    expect((await phone.opened()).map((file) => file?.name)).toEqual(['b.jpg'])
  })

  test('more photos than may wait, also over several shares', async () => {
    const phone = receiving()
    await phone.signIn()
    const many = Array.from({ length: RECEIVED_MAX - 1 }, (_, n) => jpegFile(`${n}.jpg`, 50))
    expect(await phone.share(many)).toEqual([])
    expect(await phone.share([jpegFile('x.jpg'), jpegFile('y.jpg')])).toEqual([{ why: 'full', n: 1 }])
    expect(await phone.store.waiting()).toHaveLength(RECEIVED_MAX)
  })

  test('more bytes than may wait', async () => {
    const phone = receiving()
    await phone.signIn()
    await phone.share([jpegFile('a.jpg')])
    const [photo] = await phone.store.waiting()
    if (!photo) throw new Error('not stored')
    await phone.store.add({ ...photo, size: RECEIVED_BYTES_MAX - 100 }, new ArrayBuffer(1))
    expect(await phone.share([jpegFile('b.jpg', 101)])).toEqual([{ why: 'full', n: 1 }])
    expect(await phone.share([jpegFile('b.jpg', 100)])).toEqual([])
  })

  test('a full device, and a device that fails', async () => {
    const phone = receiving()
    await phone.signIn()
    const add = vi.spyOn(phone.store, 'add')
    add.mockRejectedValueOnce(new DOMException('', 'QuotaExceededError'))
    expect(await phone.share([jpegFile('a.jpg'), jpegFile('b.jpg')])).toEqual([{ why: 'room', n: 1 }])
    add.mockRejectedValueOnce(new Error('no'))
    expect(await phone.share([jpegFile('c.jpg')])).toEqual([{ why: 'failed', n: 1 }])
    expect(phone.problems).toHaveLength(1)
    expect((await phone.opened()).map((file) => file?.name)).toEqual(['b.jpg'])
  })
})

describe('[decisions/photos] signed out', () => {
  const until = (ms: number) => ({ now: ms, until: ms - 24 * HOUR_MS })

  test('photos are for who was there last, who finds them after the next login', async () => {
    const sealer = sealerOf(await dataKey('k-1'))
    const phone = receiving({ sealer })
    const before = receiving({ user: 'genba-2', sealer })
    await before.signIn()
    await phone.signIn()
    expect(await stillReceives(phone.store, 'genba-2', until(NOW))).toBe(true)
    expect(await stillReceives(phone.store, 'genba-1', until(NOW + 1))).toBe(true)
    await phone.share([jpegFile('a.jpg')])
    await phone.signIn()
    expect(await phone.opened()).toMatchObject([{ name: 'a.jpg' }])
    expect((await phone.store.receivers()).map(({ user, leftAt }) => [user, leftAt])).toEqual([
      ['genba-1', undefined],
      ['genba-2', NOW],
    ])
  })

  test('[EX6] after a day nobody receives, unless photos of that user wait', async () => {
    const phone = receiving()
    await phone.signIn()
    await stillReceives(phone.store, 'genba-1', until(NOW))
    phone.at(NOW + 23 * HOUR_MS)
    await phone.share([jpegFile('a.jpg')])
    const [photo] = await phone.store.waiting()
    expect(await stillReceives(phone.store, 'genba-1', until(NOW + 25 * HOUR_MS))).toBe(true)
    await expireReceived(phone.store, NOW + 22 * HOUR_MS)
    expect(await phone.store.waiting()).toHaveLength(1)
    await expireReceived(phone.store, NOW + 24 * HOUR_MS)
    expect([await phone.store.waiting(), await phone.store.bytes(photo?.id ?? '')]).toEqual([[], undefined])
    const next = receiving({ user: 'genba-2' })
    await next.signIn()
    await next.share([jpegFile('b.jpg')])
    expect(await stillReceives(phone.store, 'genba-1', until(NOW + 47 * HOUR_MS))).toBe(false)
    await next.store.removeReceiver('genba-2')
    expect(await phone.share([jpegFile('b.jpg')])).toEqual([{ why: 'login', n: 1 }])
  })

  test('a password changed meanwhile: a new pair, and what waits for the old one stays closed', async () => {
    const phone = receiving({ sealer: sealerOf(await dataKey('k-1')) })
    await phone.signIn()
    await phone.share([jpegFile('a.jpg')])
    const changed = receiving({ sealer: sealerOf(await dataKey('k-2')) })
    await changed.signIn()
    await changed.share([jpegFile('b.jpg')])
    expect(await changed.store.receivers()).toHaveLength(1)
    const names = (await changed.opened()).map((file) => file?.name ?? '')
    expect(names.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(['', 'b.jpg'])
  })
})

test('[decisions/config] a device that leaves a CRM has no key pair and no shared photo of its users', async () => {
  const [left, other] = [receiving({ user: 'genba-1' }), receiving({ user: 'genba-b-1' })]
  await other.signIn()
  await other.share([jpegFile('b.jpg')])
  left.at(NOW + HOUR_MS)
  await left.signIn()
  await left.share([jpegFile('a.jpg')])
  expect(await left.store.waiting()).toHaveLength(2)
  await forgetReceived(left.store, (user) => user === 'genba-1')
  expect((await left.store.waiting()).map(({ user }) => user)).toEqual(['genba-b-1'])
  expect((await left.store.receivers()).map(({ user }) => user)).toEqual(['genba-b-1'])
})
