import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { BehaviorSubject } from 'rxjs'
import { expect, test } from 'vitest'
import { notifyUser } from '#app/shell/user-notifications.ts'
import { createFlashStore } from '#data/context/flash-store.ts'
import { createFormDrafts } from '#data/drafts/drafts.ts'
import { openPhotoBytes } from '#data/photos/photo-bytes.ts'
import { openTestDatabase, testClock, testSession, testValue } from '../../support/render-feature.tsx'
import { PLAIN } from '../../support/plain-sealer.ts'

type Parts = Parameters<typeof notifyUser>

test('[SV4] nothing follows the connectivity for a database that a logout or lock closes', async () => {
  const db = await openTestDatabase()
  const settings = { indexedDB: new IDBFactory(), IDBKeyRange }
  const bytes = openPhotoBytes({ sealer: PLAIN, databaseName: db.name, now: () => 0, settings })
  const services = {
    flash: createFlashStore(),
    clock: testClock(() => 0),
    newId: () => crypto.randomUUID(),
    crms: testValue([]),
    session: testValue(testSession),
    online: testValue(true),
  }
  const online$ = new BehaviorSubject(true)
  const data = { db, bytes, drafts: createFormDrafts({ db, bytes }), lockedData: testValue(0) }
  const { stop } = notifyUser(
    services as unknown as Parts[0],
    { connectivity: { online$ } } as unknown as Parts[1],
    data as unknown as Parts[2],
  )
  expect(online$.observed).toBe(true)
  stop()
  expect(online$.observed).toBe(false)
})
