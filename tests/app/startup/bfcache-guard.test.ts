import { IDBDatabase as FakeDatabase, IDBFactory } from 'fake-indexeddb'
import { afterEach, expect, test, vi } from 'vitest'
import { guardBfcache } from '#app/startup/bfcache-guard.ts'

const begin = FakeDatabase.prototype.transaction
afterEach(() => {
  FakeDatabase.prototype.transaction = begin
})

/** A window of its own, with one database: `aside(persisted)` leaves the page, `back(persisted)` comes back to it. */
async function page(vendor = 'Apple Computer, Inc.') {
  const reload = vi.fn<() => void>()
  const window = Object.assign(new EventTarget(), {
    IDBDatabase: FakeDatabase,
    location: { reload },
    navigator: { vendor },
  })
  guardBfcache(window as never)
  const tell = (type: string) => (persisted: boolean) =>
    window.dispatchEvent(Object.assign(new Event(type), { persisted }))
  const opening = new IDBFactory().open('a', 1)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('docs'))
  await ended(opening, 'success')
  const db = opening.result
  const write = () => {
    const transaction = db.transaction('docs', 'readwrite')
    return { transaction, put: transaction.objectStore('docs').put(1, 1) }
  }
  return { write, reload, aside: tell('pagehide'), back: tell('pageshow') }
}

const ended = (target: EventTarget, ...types: string[]) =>
  new Promise<string>((resolve) => {
    for (const type of types) target.addEventListener(type, () => resolve(type))
  })

test('[SV1] a page that is put aside aborts what it has open, and begins nothing more', async () => {
  const { write, aside } = await page()
  const { transaction } = write()
  const end = ended(transaction, 'complete', 'abort')
  aside(true)
  expect(await end).toBe('abort')
  expect(() => write()).toThrow(/transaction/i)
})

test('a page that is closed or loaded anew ends its writes; what is finished stays', async () => {
  const { write, aside } = await page()
  const first = write().transaction
  expect(await ended(first, 'complete', 'abort')).toBe('complete')
  const { transaction } = write()
  const end = ended(transaction, 'complete', 'abort')
  aside(false)
  expect(await end).toBe('complete')
  aside(true)
})

test('other browsers end the writes of a page that is put aside', async () => {
  const { write, aside } = await page('Google Inc.')
  const { transaction } = write()
  const end = ended(transaction, 'complete', 'abort')
  aside(true)
  expect(await end).toBe('complete')
})

test('a page that comes back is loaded anew, one that is opened is not', async () => {
  const { reload, back } = await page()
  back(false)
  expect(reload).not.toHaveBeenCalled()
  back(true)
  expect(reload).toHaveBeenCalledOnce()
})
