/** The data of whoever is signed in closes: a lock, a logout, a new version of the app. */
import { Dexie } from 'dexie'
import { expect, onTestFinished, test } from 'vitest'
import { openUserData, type OpenUserData } from '#app/session/user-data.ts'
import { databaseName, userOf } from '#data/database/database-name.ts'
import { addDraftPhoto, draftOf } from '#data/drafts/drafts.ts'
import { atRest } from '../../support/at-rest.ts'
import { until } from '../../support/device.ts'
import { testClock, testSession } from '../../support/render-feature.tsx'
import { eachOnAnEmptyDevice, sealedUser } from '../../support/sealed-user.ts'

eachOnAnEmptyDevice()

/** Signed in, with data that can be opened. The sync does not start, as no screen is painted. */
async function signedIn() {
  // Dexie has read the globals when it was loaded
  const { dependencies } = Dexie
  Dexie.dependencies = { indexedDB, IDBKeyRange }
  onTestFinished(() => void (Dexie.dependencies = dependencies))
  const { userName, userInfo } = testSession
  const device = sealedUser({ user: await databaseName(userInfo.id, ''), userName, newId: () => 'k-1' })
  await device.login('password')
  const problems: unknown[] = []
  const parts = {
    session: testSession,
    sessions: { get: () => testSession, subscribe: () => () => undefined },
    network: { scope: '' },
    values: { get: () => null },
    keys: device.keys,
    clock: testClock(() => 1),
    firstPaint: new Promise<never>(() => undefined),
    report: (problem: unknown) => void problems.push(problem),
    storageFull: () => undefined,
    waits: () => undefined,
  } as unknown as OpenUserData
  return { open: () => openUserData(parts), problems }
}

const FORM = 'note/r1'
const PHOTO = { key: 'p1', name: 'a.jpg', placeInfo: '', takenAt: '2026-11-20T10:00:00+09:00', size: 3 }

test('[SV1] a photo that is being read while the data closes is in its draft when it opens again, with its bytes', async () => {
  const { open, problems } = await signedIn()
  const { db, bytes, drafts, close } = await open()
  let isRead: () => void = () => undefined
  const reading = new Promise<void>((resolve) => (isRead = resolve))
  const content = { bytes: new Uint8Array([1, 2, 3]).buffer, thumb: undefined }
  drafts.takes(
    reading.then(() => addDraftPhoto({ db, bytes }, FORM, { ...PHOTO, type: 'image/jpeg' }, content)),
  )
  const closing = close()
  await atRest()
  isRead()
  await closing
  const again = await open()
  expect((await draftOf(again.db, FORM))?.photos).toMatchObject([PHOTO])
  expect((await again.bytes.get('p1'))?.byteLength).toBe(3)
  await again.close()
  expect(problems).toEqual([])
})

test('[encryption] a draft that comes back from locked data in another tab is told to its open form, and nothing else is', async () => {
  const { open } = await signedIn()
  const { db, drafts, close } = await open()
  const returned: string[] = []
  drafts.watch(FORM, () => void returned.push(FORM))
  const other = new BroadcastChannel(`genba-locked-${userOf(db.name)}`)
  for (const message of ['changed', null, { draft: 1 }, { draft: 'note/r2' }, { draft: FORM }])
    other.postMessage(message)
  await until(() => returned.length > 0)
  expect(returned).toEqual([FORM])
  other.close()
  await close()
})
