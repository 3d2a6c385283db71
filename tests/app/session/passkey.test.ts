/** A passkey that opens the locked screen, beside the password (decisions/encryption). */
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { passkeyOf } from '#data/encryption/passkey.ts'
import { currentOf } from '#data/encryption/stored-keys.ts'
import { signedIn } from '../../support/lock-device.ts'

const MINUTE = 60_000

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  localStorage.clear()
})
afterEach(() => vi.unstubAllGlobals())

describe('[SV6] a passkey', () => {
  const locked = async () => {
    const scene = await signedIn()
    const { device } = scene
    const tab = await device.tab()
    expect(await tab.control.addPasskey()).toBe('set')
    const sealed = await scene.seal()
    const lock = async () => {
      await tab.see('hidden')
      await device.pass(16 * MINUTE)
      await tab.see('visible')
      expect([tab.state(), await device.isUsable()]).toEqual(['locked', false])
    }
    return { ...scene, tab, sealed, lock }
  }

  test('opens the same key beside the password, and sets the lock to 15 minutes', async () => {
    const { device, tab, sealed, lock, open } = await locked()
    expect([tab.control.after.get(), tab.control.passkey.get()]).toEqual(['15', 'set'])
    await lock()
    expect(await tab.control.unlockByPasskey()).toEqual({ kind: 'open' })
    expect(await open(sealed)).toBe('秘密')
    for (const key of (await device.keys.record(device.user))?.keys ?? [])
      expect([key.usable, key.passkeyOpener].map((each) => each?.extractable)).toEqual([false, false])
    await lock()
    expect(await tab.control.unlock('password')).toEqual({ kind: 'open' })
    expect(await open(sealed)).toBe('秘密')
  })

  test('that is lost opens nothing and loses nothing: the password does, and there it is removed', async () => {
    const { device, tab, sealed, lock, open } = await locked()
    device.passkeys.lose()
    await lock()
    expect(await tab.control.unlockByPasskey()).toEqual({ kind: 'failed' })
    expect(await device.isUsable()).toBe(false)
    expect(await tab.control.unlock('password')).toEqual({ kind: 'open' })
    await tab.control.removePasskey()
    expect(tab.control.passkey.get()).toBe('none')
    await lock()
    expect(await tab.control.unlockByPasskey()).toEqual({ kind: 'failed' })
    await tab.control.unlock('password')
    expect(await open(sealed)).toBe('秘密')
  })

  test.each(['password', 'passkey'])(
    'stays where the password is changed, opened by the %s before: both open the same key',
    async (by) => {
      const { device, tab, sealed, lock, open } = await locked()
      await lock()
      await (by === 'password' ? tab.control.unlock('password') : tab.control.unlockByPasskey())
      // the CRM has another password since; its login asks for it
      await device.login('after')
      const record = await device.keys.record(device.user)
      expect(record?.keys.map(({ id }) => id)).toEqual(['k-1'])
      await lock()
      expect(await tab.control.unlock('password')).toMatchObject({ kind: 'wrong' })
      expect(await tab.control.unlockByPasskey()).toEqual({ kind: 'open' })
      expect(await open(sealed)).toBe('秘密')
      await lock()
      expect(await tab.control.unlock('after')).toEqual({ kind: 'open' })
      expect(await open(sealed)).toBe('秘密')
    },
  )

  test('stays over a logout with what another version has put beside it', async () => {
    const { device, tab } = await locked()
    await device.keys.change(device.user, (record) => ({
      ...record,
      keys: record.keys.map((key) => ({ ...key, wraps: { ...key.wraps, later: 1 } })),
    }))
    await device.logout()
    await device.login('password')
    const current = async () => {
      const record = await device.keys.record(device.user)
      return record && currentOf(record)
    }
    const key = await current()
    expect(key && passkeyOf(key)).not.toBeNull()
    expect(key?.wraps).toHaveProperty('later', 1)
    await tab.control.removePasskey()
    expect((await current())?.wraps).toEqual({ later: 1 })
  })
})
