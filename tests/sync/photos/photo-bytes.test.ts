/** The bytes of photos on a device that has no room left. */
import { IDBFactory, IDBKeyRange, IDBObjectStore } from 'fake-indexeddb'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openPhotoBytes } from '#data/photos/photo-bytes.ts'
import { atRest } from '../../support/at-rest.ts'
import { PLAIN } from '../../support/plain-sealer.ts'

test('[SV1] a full device that takes no note of when a photo was looked at shows and sends it all the same', async () => {
  const settings = { indexedDB: new IDBFactory(), IDBKeyRange }
  let at = 0
  const table = openPhotoBytes({ sealer: PLAIN, databaseName: 'genba-u6', now: () => (at += 1), settings })
  onTestFinished(() => table.close())
  await table.put('p1', new ArrayBuffer(68))
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError')
  })
  onTestFinished(() => full.mockRestore())
  expect((await table.get('p1'))?.byteLength).toBe(68)
})

test('[SV1][ST4] a full device that does not open the store of photos keeps them once there is room, in the same page', async () => {
  const indexedDB = new IDBFactory()
  const full = vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError')
  })
  const settings = { indexedDB, IDBKeyRange }
  const table = openPhotoBytes({ sealer: PLAIN, databaseName: 'genba-u7', now: () => 1, settings })
  onTestFinished(() => table.close())
  const put = () => table.put('p1', new ArrayBuffer(68))
  await expect(put()).rejects.toThrow('no room')
  await atRest(5)
  await expect(put()).rejects.toThrow('no room')
  full.mockRestore()
  await atRest(5)
  await put()
  expect((await table.get('p1'))?.byteLength).toBe(68)
})
