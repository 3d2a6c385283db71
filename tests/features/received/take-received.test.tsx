/** A form takes shared photos as if they were picked, each once, whatever happens in between (decisions/photos). */
import { act, waitFor } from '@testing-library/react'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { beforeEach, expect, test, vi } from 'vitest'
import { waitingPhotos } from '#data/received/take-received.ts'
import { jpegFile as jpeg } from '../../support/image-files.ts'
import { openTestDatabase } from '../../support/render-feature.tsx'
import { afterThisTest } from '../../support/undo.ts'
import { NOW, receiving } from '../../data/received/receiving.ts'
import { INFO_TYPE, openForm, file as picked } from '../photo/open-photos.tsx'

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('IDBKeyRange', IDBKeyRange)
  afterThisTest(() => vi.unstubAllGlobals())
})

const file = (name: string) => new File([jpeg({ bytes: 300 })], name, { type: 'image/jpeg' })

/** Photos wait for the user of a database. */
async function shared(...files: File[]) {
  const db = await openTestDatabase()
  const phone = receiving({ user: db.name })
  await phone.signIn()
  await phone.share(files)
  const waiting = async () => (await phone.store.waiting()).map(({ id }) => id)
  return { db, store: phone.store, waiting, ids: await waiting() }
}

type Opened = Awaited<ReturnType<typeof openForm>>

/** The link of the screen 共有された写真. */
const choose = ({ router }: Opened, received: readonly string[]) =>
  act(async () => router.history.replace('/outbox', { received }))

const namesIn = async ({ draft }: Opened) => ((await draft())?.photos ?? []).map(({ name }) => name.slice(18))

test('the photos are in the draft, under the keys they waited under, and wait no more', async () => {
  const { db, waiting, ids } = await shared(file('a.jpg'), file('b.jpg'), file('c.jpg'), file('d.jpg'))
  const form = await openForm({ db })
  await choose(form, ids)
  await waitFor(async () => expect(await waiting()).toEqual([]))
  expect(await namesIn(form)).toEqual(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'])
  expect((await form.draft())?.photos.map(({ key }) => key)).toEqual(ids)
  expect(form.screen.getAllByText('入力途中')).toHaveLength(4)
})

test('only those that were chosen, beside those that are there already', async () => {
  const { db, waiting, ids } = await shared(file('a.jpg'), file('b.jpg'))
  const form = await openForm({ db })
  await form.add(picked('z.jpg'))
  await waitFor(async () => expect(await namesIn(form)).toEqual(['z.jpg']))
  await choose(form, ids.slice(1))
  await waitFor(async () => expect(await waiting()).toEqual(ids.slice(0, 1)))
  expect(await namesIn(form)).toEqual(['z.jpg', 'b.jpg'])
})

test('killed after the draft and before the photo waits no more: it is there once', async () => {
  const { db, store, waiting, ids } = await shared(file('a.jpg'))
  const form = await openForm({ db })
  const [photo] = await store.waiting()
  const bytes = await store.bytes(photo?.id ?? '')
  await choose(form, ids)
  await waitFor(async () => expect(await waiting()).toEqual([]))
  const device = form.kill()
  if (photo && bytes) await store.add(photo, bytes)
  const again = await openForm(device)
  await choose(again, ids)
  await waitFor(async () => expect(await waiting()).toEqual([]))
  expect(await namesIn(again)).toEqual(['a.jpg'])
})

test('saved and killed the same: it is not offered again', async () => {
  const { db, store, ids } = await shared(file('a.jpg'))
  const form = await openForm({ db })
  const [photo] = await store.waiting()
  const bytes = await store.bytes(photo?.id ?? '')
  await choose(form, ids)
  await form.user.type(form.screen.getByLabelText(/メモ/), 'x')
  await form.submit()
  await waitFor(async () => expect((await db.photos.find().exec()).length).toBe(1))
  if (photo && bytes) await store.add(photo, bytes)
  expect(await waitingPhotos({ store, db })).toEqual([])
  expect(await store.waiting()).toEqual([])
})

test('one that the form refuses is named, and waits no more; one that does not open still waits', async () => {
  const { db, store, waiting, ids } = await shared(file('a.jpg'))
  const phone = receiving({ user: db.name })
  phone.at(NOW + 1_000)
  // its beginning was a photo's, and all of it is none
  const broken = new File([jpeg().slice(0, 12)], 'broken.jpg')
  await phone.share([broken])
  const first = (await store.waiting()).find(({ id }) => id === ids[0])
  if (!first) throw new Error('nothing waits')
  await store.add({ ...first, about: first.about.slice(1) }, new ArrayBuffer(20))
  const form = await openForm({ db })
  await choose(form, await waiting())
  await waitFor(async () => expect(await waiting()).toEqual([first.id]))
  expect(await namesIn(form)).toEqual([])
  const texts = () =>
    form.services.flash
      .get()
      .map(({ text }) => text)
      .join()
  await waitFor(() => expect(texts()).toMatch(/broken\.jpg.*ファイルが壊れています/))
  expect(texts()).not.toContain(INFO_TYPE)
})

test('[SV1] a device that cannot store them leaves them waiting', async () => {
  const { db, waiting, ids } = await shared(file('a.jpg'))
  const form = await openForm({ db })
  vi.spyOn(form.bytes, 'put').mockRejectedValueOnce(new DOMException('', 'QuotaExceededError'))
  await choose(form, ids)
  await waitFor(() => expect(form.services.flash.get()).toHaveLength(1))
  expect(await waiting()).toEqual(ids)
})
