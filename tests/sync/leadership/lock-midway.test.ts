/**
 * The screen is locked in the middle of a save, a send and an upload: nothing is lost, nothing is doubled
 * (decisions/encryption).
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IDBFactory } from 'fake-indexeddb'
import { createSealer } from '#data/encryption/key-ring.ts'
import { openKeyStore } from '#data/encryption/stored-keys.ts'
import { unlockByPassword } from '#data/encryption/unlock.ts'
import { createUserKeys } from '#data/encryption/user-keys.ts'
import { atRest } from '../../support/at-rest.ts'
import { until, type Device } from '../../support/device.ts'
import { filesOf, photoScene, take } from '../../support/photos.ts'
import { enter, nth } from '../../support/replication.ts'
import { sealedBy } from '../../support/seal-keys.ts'
import { sharedLocks } from '../../support/shared-locks.ts'

const { app } = photoScene()
const LIMIT_MS = 60_000

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))
afterEach(() => vi.unstubAllGlobals())

/** A phone whose stores are sealed with keys that are locked and opened. */
async function lockedPhone() {
  const { userInfo } = await app.phone.signIn()
  const user = `phone${app.phone.storage.number}-${userInfo.id}`
  const keys = createUserKeys<object>({
    store: openKeyStore(),
    isOwn: () => true,
    locks: sharedLocks(),
    newId: () => 'k-1',
    rounds: 3,
  })
  const trying = await keys.trying('demo6', 'password')
  await trying.login({ user, userName: 'demo6', who: {} }, async () => undefined)
  const unlock = { keys, isSignedIn: async () => true }
  let ring = keys.ring(user)
  const open = (online = true) => {
    ring = keys.ring(user)
    app.phone.storageOptions = sealedBy(createSealer(ring))
    return app.open({ online })
  }
  return {
    open,
    /** As the app does: the disk first, then what is open. */
    async lock(device: Device) {
      await keys.lock(async () => false)
      await app.close(device)
      ring.forget()
      await expect(ring.current()).rejects.toThrow('no-key')
    },
    async openAgain() {
      expect(await unlockByPassword(unlock, user, 'wrong')).toBe('wrong')
      expect(await unlockByPassword(unlock, user, 'password')).toBe('open')
      return open()
    },
  }
}

test(
  '[SV1][SV6] a save that the lock meets is there once, or was never said to be saved',
  async () => {
    const { open, lock, openAgain } = await lockedPhone()
    let device = await open()
    const requests = await app.freeRequests(device)
    const told: boolean[] = []
    for (const [turn, ms] of [0, 3, 12].entries()) {
      const saving = enter(device, nth(requests, turn)).then(
        () => true,
        () => false,
      )
      await new Promise((resolve) => setTimeout(resolve, ms))
      await lock(device)
      told.push(await saving)
      device = await openAgain()
    }
    await app.sent(device)
    for (const [turn, isTold] of told.entries()) {
      const { length } = await app.reports(nth(requests, turn).id)
      expect(isTold ? [1] : [0, 1]).toContain(length)
    }
    // the longest was
    expect(told).toContain(true)
  },
  LIMIT_MS,
)

test.each(['/quickReport/', 'files/upload'])(
  '[OC3][SV6] what has left for %s when the lock comes is done once',
  async (part) => {
    const { open, lock, openAgain } = await lockedPhone()
    const device = await open()
    const request = nth(await app.freeRequests(device), 0)
    let arrived = () => undefined as void
    const isThere = new Promise<void>((resolve) => (arrived = resolve))
    let closing: Promise<void> | null = null
    app.phone.between = async (call) => {
      const isWatched = call.method === 'POST' && call.url.includes(part) && closing === null
      const answer = await fetch(call)
      if (isWatched) {
        arrived()
        // the CRM has it, and its answer comes while the page closes
        await until(() => closing !== null)
        await atRest()
      }
      return answer
    }
    if (part === 'files/upload') await take(device, 'IMG_1.jpg', 1)
    else await enter(device, request)
    await isThere
    closing = lock(device)
    await closing
    const again = await openAgain()
    await app.sent(again)
    if (part === 'files/upload') expect(await filesOf(app)).toHaveLength(1)
    else expect(await app.reports(request.id)).toHaveLength(1)
  },
  LIMIT_MS,
)
