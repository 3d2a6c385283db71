/** The data of whoever is signed in: what happens where it cannot be opened, and when somebody else comes. */
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { followUser, type FollowUser } from '#app/session/follow-user.ts'
import { createFlashStore } from '#data/context/flash-store.ts'
import type { Session } from '#schemas/device/session.ts'
import { nextTurn } from '../../support/at-rest.ts'
import { testSession, testValue } from '../../support/render-feature.tsx'
import { sooner } from '../../support/sooner.ts'

// what is loaded when nothing waits for it would come after the last test
beforeAll(() =>
  Promise.all([
    import('#app/session/sweep-users.ts'),
    import('#app/session/user-data.ts'),
    import('#app/shell/user-notifications.ts'),
  ]),
)
beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Signed in, and the code that opens the data fails with `error`. */
function follow(error: Error) {
  const sessions = testValue<Session | null>(testSession)
  const flash = createFlashStore()
  const notifyStores = vi.fn<FollowUser['notifyStores']>()
  const keys = vi.fn<FollowUser['keys']>(() => Promise.reject(error))
  const report = vi.fn<FollowUser['report']>()
  const never = new Promise<never>(() => undefined)
  followUser({
    ...{ sessions, notifyStores, keys, report },
    services: { flash },
    lock: testValue('open'),
    userData: testValue(null),
    memory: { clear: () => undefined },
    network: Promise.resolve({}),
    firstPaint: never,
  } as unknown as FollowUser)
  return { sessions, flash, notifyStores, keys, report }
}

const missing = () => Object.assign(new TypeError('not on this device'), { name: 'MissingCode' })

test('[手9] code that is not on the device yet is asked for until it is there, and no storage is blamed', async () => {
  sooner(5_000)
  const { keys, notifyStores } = follow(missing())
  await vi.waitFor(() => expect(keys).toHaveBeenCalled(), { timeout: 8_000 })
  await vi.waitFor(() => expect(keys.mock.calls.length).toBeGreaterThan(1), { timeout: 12_000 })
  expect(notifyStores).not.toHaveBeenCalled()
})

test('a device whose data does not open says so', async () => {
  const { notifyStores } = follow(new Error('no'))
  await vi.waitFor(() => expect(notifyStores).toHaveBeenCalledWith('not-opened'), { timeout: 8_000 })
})

test('[SV4] whoever comes next sees no banner of the one before, and can take nothing back of theirs', async () => {
  const { sessions, flash, notifyStores } = follow(new Error('no'))
  await vi.waitFor(() => expect(notifyStores).toHaveBeenCalled(), { timeout: 8_000 })
  const forget = vi.fn<() => void>()
  flash.put('unsaved', { mode: 'danger', text: '端末に保存できませんでした', stays: true })
  flash.put('way-back', {
    mode: 'info',
    text: '破棄しました。',
    act: { text: '元に戻す', run: forget },
    onRemoved: forget,
  })
  // the same user: a renewed session
  sessions.set({ ...testSession, accessToken: 'renewed' })
  await nextTurn()
  expect(flash.get()).toHaveLength(2)
  sessions.set({ ...testSession, userInfo: { ...testSession.userInfo, id: 'u7' } })
  await vi.waitFor(() => expect(flash.get()).toEqual([]))
  expect(forget).toHaveBeenCalledOnce()
})
