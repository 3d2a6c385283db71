/**
 * What the lock of the screen leaves on the disk, and what a killed, frozen or second page is given
 * (decisions/encryption).
 */
import { IDBDatabase, IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openDeviceValues } from '#app/config/device-values.ts'
import { limitUnlocking, openTries } from '#app/session/lock/tries.ts'
import { trustedTime } from '#app/session/user-data.ts'
import type { LockedData } from '#data/context/app-context.tsx'
import { createTrustedClock } from '#sync/lib/trusted-clock.ts'
import { settled, signedIn } from '../../support/lock-device.ts'

const MINUTE = 60_000

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  localStorage.clear()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('[SV6] the lock', () => {
  test.each(['in sight', 'left'])(
    'of an app that was killed %s, at whatever time: nothing that opens lies on the disk, and the next start asks',
    async (how) => {
      const { device, seal } = await signedIn()
      const tab = await device.tab()
      expect(await device.isOnDisk()).toBe(true)
      await tab.control.after.set('60')
      expect([await device.isOnDisk(), await device.isUsable()]).toEqual([false, true])
      await seal()
      if (how === 'left') await tab.see('hidden')
      tab.kill()
      const next = await device.tab()
      expect([next.states, await device.isUsable()]).toEqual([['locked'], false])
      expect(await next.control.unlock('password')).toEqual({ kind: 'open' })
      expect([await device.isOnDisk(), await device.isUsable()]).toEqual([false, true])
      // with no lock any more it is as before
      await next.control.after.set('off')
      next.kill()
      expect(await device.isOnDisk()).toBe(true)
      expect((await device.tab()).states).toEqual(['open'])
    },
  )

  test('of an app that was killed while it was being set: the next start removes what opens from the disk; a page that is open keeps it', async () => {
    const { device } = await signedIn()
    const first = await device.tab()
    // the setting is on the disk, the keys have not moved
    await device.values.set('lock', '0')
    first.kill()
    const next = await device.tab()
    expect(next.states).toEqual(['locked'])
    await vi.waitFor(async () => expect(await device.isOnDisk()).toBe(false))
    expect(await next.control.unlock('password')).toEqual({ kind: 'open' })
    await device.tab()
    await settled()
    expect([next.state(), await device.isUsable()]).toEqual(['open', true])
    expect(device.problems).toEqual([])
  })

  test('is open in a second tab while a first one is open, by a login and a passkey too, and is asked of nobody else', async () => {
    const { device } = await signedIn()
    const tab = await device.tab()
    await tab.control.after.set('15')
    const second = await device.tab()
    expect(second.states).toEqual(['open'])
    await tab.see('hidden')
    tab.kill()
    const third = await device.tab()
    expect(third.states).toEqual(['open'])
    expect(await third.control.addPasskey()).toBe('set')
    await second.see('hidden')
    await third.see('hidden')
    await device.pass(20 * MINUTE)
    expect([third.state(), second.state(), await device.isUsable()]).toEqual(['locked', 'locked', false])
    await third.see('visible')
    expect(await third.control.unlockByPasskey()).toEqual({ kind: 'open' })
    expect([second.state(), await device.isOnDisk()]).toEqual(['open', false])
    await device.logout()
    await device.login('password')
    await settled()
    expect([second.state(), third.state(), await device.isOnDisk()]).toEqual(['open', 'open', false])
  })

  test('of a user whose record of keys is missing is on; no password is called wrong, and none is counted', async () => {
    const { device } = await signedIn()
    await (await device.tab()).control.after.set('5')
    await device.disk.remove(device.user)
    const tab = await device.tab()
    expect(tab.state()).toBe('locked')
    for (let tried = 0; tried < 7; tried += 1)
      expect(await tab.control.unlock('password')).toEqual({ kind: 'failed' })
    expect(tab.control.wait()).toBe(0)
  })

  test('is opened past a tab that was frozen in its turn', async () => {
    const { device } = await signedIn()
    const tab = await device.tab()
    await tab.control.after.set('5')
    tab.kill()
    const next = await device.tab()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    void device.locks
      .request('genba-keys', { mode: 'exclusive' }, () => new Promise(() => undefined))
      .catch(() => undefined)
    const opening = next.control.unlock('password')
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(6_000)
      expect(next.state()).toBe('open')
    })
    vi.useRealTimers()
    expect(await opening).toEqual({ kind: 'open' })
  })

  test('is on the disk when it is said to be set, and so are wrong tries: a power cut forgets neither', async () => {
    const { device } = await signedIn()
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
    const tab = await device.tab()
    const chosen: string[] = []
    const set = tab.control.after.set('5')
    tab.control.after.subscribe(() => chosen.push(tab.control.after.get()))
    expect(tab.control.after.get()).toBe('off')
    await set
    expect(chosen).toEqual(['5'])
    for (let tried = 0; tried < 6; tried += 1) await tab.control.unlock('wrong')
    const writes = transaction.mock.calls.filter(([, mode]) => mode === 'readwrite')
    transaction.mockRestore()
    expect(writes.length).toBeGreaterThan(6)
    for (const [, , options] of writes) expect(options).toEqual({ durability: 'strict' })
    const { get } = await openDeviceValues()
    expect(get('lock')).toBe('5')
    expect(JSON.parse(get('lock-tries') ?? '')).toMatchObject({ count: 5 })
    localStorage.clear()
    expect((await device.tab()).control.wait()).toBeGreaterThan(0)
  })
})

test('[SV6] the password of what is 封印中 waits after five wrong ones, over a kill; what failed is none of them', async () => {
  let now = 0
  const answers = { open: 'wrong' as Awaited<ReturnType<LockedData['open']>> | 'fails' }
  const aside = {
    open: vi.fn<LockedData['open']>(async () => {
      if (answers.open === 'fails') throw new Error('no store')
      return answers.open
    }),
  } as unknown as LockedData
  const start = async () => {
    const values = await openDeviceValues()
    return limitUnlocking(aside, openTries({ values, scope: '', now: () => now }, 'sealed-tries'))
  }
  const first = await start()
  answers.open = 'fails'
  for (let tried = 0; tried < 7; tried += 1) await expect(first.open('before')).rejects.toThrow('no store')
  expect(first.wait()).toBe(0)
  answers.open = 'wrong'
  for (let tried = 0; tried < 5; tried += 1) expect(await first.open('guess')).toBe('wrong')
  const next = await start()
  expect([await next.open('guess'), next.wait()]).toEqual(['later', MINUTE])
  now += MINUTE
  answers.open = 'all'
  expect([await next.open('before'), next.wait()]).toEqual(['all', 0])
})

test('[EX2][EX3] the trusted time is on the disk once the CRM has said it: after a kill a clock three days ahead is in doubt', async () => {
  const NOW = Date.parse('2026-11-20T10:00:00+09:00')
  const AHEAD = 3 * 24 * 60 * MINUTE
  const report = vi.fn<() => void>()
  const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
  const start = async (wall: number) => {
    const memory = trustedTime({ values: await openDeviceValues(), network: { scope: '' }, report })
    return createTrustedClock({ wall: () => wall, monotonic: () => 0, memory })
  }
  const isOnDisk = async () => expect((await openDeviceValues()).get('time')).toContain(String(NOW))
  ;(await start(NOW)).answered(NOW)
  await vi.waitFor(isOnDisk)
  const writes = transaction.mock.calls.filter(([, mode]) => mode === 'readwrite')
  transaction.mockRestore()
  expect(writes.length).toBeGreaterThan(0)
  for (const [, , options] of writes) expect(options).toEqual({ durability: 'strict' })
  // what the browser had not written yet is lost
  localStorage.clear()
  const next = await start(NOW + AHEAD)
  expect([next.expiryNow(), next.isInDoubt()]).toEqual([NOW, true])
  expect(report).not.toHaveBeenCalled()
})
