/** 破棄 of a create with its photos, and 元に戻す, in a tab that dies at each write: real RxDB, the demo CRM. */
import { IDBDatabase } from 'fake-indexeddb'
import { viewOf } from '#data/changes/record-views.ts'
import { firstValueFrom } from 'rxjs'
import { expect, test, vi } from 'vitest'
import { discardWithPhotos } from '#data/outbox/discard.ts'
import { requestInOrder } from '#data/fetch-requests/wishes.ts'
import { outbox$ } from '#data/outbox/outbox.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { until, type Device } from '../../support/device.ts'
import { filesOf, take } from '../../support/photos.ts'
import { nth, todayScene } from '../../support/replication.ts'

const app = todayScene()
const LIMIT_MS = 120_000

/** The unsent photos of the note. */
const photosIn = async (device: Device, note: string) =>
  (await firstValueFrom(outbox$(device.db))).photos
    .filter(({ recordKey }) => recordKey === note)
    .flatMap(({ items }) => items)

/** Saves a note and a photo with this name, which have not been sent. */
async function withPhoto(name: string) {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  const key = crypto.randomUUID()
  await saveNote(device.saver(), request, { note: name }, null, key)
  const note = { resource: 'noteLocationAreas', recordKey: key, requestId: request.id, workingDate: '' }
  await take(device, `${name}.jpg`, 1, note)
  return { device, key }
}

/** Runs with a storage that fails after this many writes. @returns true if there were more writes */
async function diesAfter(writes: number, run: () => Promise<unknown>, close: () => Promise<void>) {
  let count = 0
  const { transaction } = IDBDatabase.prototype
  const spy = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
    this: InstanceType<typeof IDBDatabase>,
    ...args
  ) {
    if (args[1] === 'readwrite') count += 1
    if (args[1] === 'readwrite' && count > writes) throw new DOMException('killed', 'AbortError')
    return transaction.apply(this, args)
  })
  let isOver = false
  const whole = run().then(
    () => void (isOver = true),
    () => void (isOver = true),
  )
  await Promise.race([whole, until(() => isOver || count > writes)])
  await close()
  spy.mockRestore()
  return count > writes
}

/** Opens the app again, with signal. @returns what the CRM has of the note, and the number of items left in 送信状況 */
async function endOf(name: string, key: string) {
  const device = await app.open()
  await until(async () => (await device.queue()).length === 0)
  await until(async () => {
    const note = await viewOf(device.db, 'noteLocationAreas', key)
    // a record that 元に戻す has only begun to restore has nothing to send yet
    const isEmpty = note !== null && note.serverId === '' && note.changes.length === 0
    return isEmpty || (await photosIn(device, key)).every(({ state }) => state === 'failed')
  })
  const left = (await photosIn(device, key)).length
  await app.close(device)
  const { notes } = await app.crm.inspect()
  const files = await filesOf(app)
  return {
    made: notes.filter(({ note }) => note === name).length,
    files: files.filter((file) => file.name.includes(name)).length,
    left,
  }
}

test.each(['破棄', 'はい', '元に戻す'] as const)(
  '[SV2] %s: a tab that dies at any write of it leaves no change that is sent without its photo',
  async (what) => {
    const ends: Awaited<ReturnType<typeof endOf>>[] = []
    for (let [writes, died] = [0, true]; died; writes += 1) {
      const name = `M${writes}`
      const { device, key } = await withPhoto(name)
      const place = { ...device.saver(), bytes: device.bytes }
      const discard = async () =>
        discardWithPhotos(place, nth(await device.queue(), 0), await photosIn(device, key))
      const asked = async () =>
        requestInOrder(device.db, [nth(await device.queue(), 0), ...(await photosIn(device, key))], 'discard')
      const way = what === '元に戻す' ? await discard() : null
      if (way) await until(async () => (await photosIn(device, key)).length === 0)
      const run = way ? () => way.back() : what === 'はい' ? asked : discard
      died = await diesAfter(writes, run, () => app.close(device))
      ends.push(await endOf(name, key))
    }
    expect(ends.length).toBeGreaterThan(2)
    expect(ends.filter(({ made, files }) => made !== files)).toEqual([])
    const all = what === '元に戻す' ? 1 : 0
    expect(ends.at(-1)).toEqual({ made: all, files: all, left: 0 })
  },
  LIMIT_MS,
)
