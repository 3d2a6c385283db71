/** The life of a user's key: login, logout, a changed password, no CRM, two tabs (decisions/encryption). */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { IDBDatabase, IDBFactory } from 'fake-indexeddb'
import { set, createStore } from 'idb-keyval'
import { recoveryKeyOf, recoveryWrapOf, type Recovery } from '#data/encryption/recovery.ts'
import { recovered } from '../../recover/recovered.ts'
import { createSealer, ringOf } from '#data/encryption/key-ring.ts'
import type { Sealed } from '#data/encryption/seal.ts'
import { openKeyStore } from '#data/encryption/stored-keys.ts'
import { createUserKeys } from '#data/encryption/user-keys.ts'
import { usableKey } from '#data/encryption/wrap.ts'
import { recoveryPair } from '../../support/recovery-pair.ts'
import { sharedLocks } from '../../support/shared-locks.ts'

const USER = 'genba-1'
const WHO = { id: 'u-1' }
const PLACE = [USER, 'drafts', 'd'] as const
const nobody = async () => false

beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()))
afterEach(() => vi.unstubAllGlobals())

function scene(recovery?: () => Promise<Recovery>) {
  let ids = 0
  const [store, locks] = [openKeyStore(), sharedLocks()]
  const tab = () =>
    createUserKeys<typeof WHO>({
      store,
      isOwn: () => true,
      locks,
      newId: () => `k-${(ids += 1)}`,
      rounds: 3,
      ...(recovery && { recovery }),
    })
  const keys = tab()
  const sealer = () => createSealer(keys.ring(USER))
  return {
    keys,
    tab,
    store,
    record: async () => (await store.get(USER)) ?? { keys: [], current: '' },
    async login(password: string) {
      const trying = await keys.trying('demo6', password)
      await trying.login({ user: USER, userName: 'demo6', who: WHO }, async () => undefined)
    },
    async offline(password: string, userName = 'demo6') {
      const told: object[] = []
      const trying = await keys.trying(userName, password)
      return [await trying.offline(async (who) => void told.push(who)), ...told]
    },
    seal: (value: unknown) => sealer().sealValue(PLACE, value) as Promise<Sealed>,
    open: (sealed: Sealed) => sealer().openValue(PLACE, sealed),
  }
}

const usableIds = ({ keys }: Awaited<ReturnType<ReturnType<typeof scene>['record']>>) =>
  keys.flatMap(({ id, usable }) => (usable ? [id] : []))

describe('[SV3][SV4] a key', () => {
  test('is on disk before anything is sealed with it: a power cut takes none of the two, or the rows alone', async () => {
    const transaction = vi.spyOn(IDBDatabase.prototype, 'transaction')
    await scene().login('password')
    const written = transaction.mock.calls.filter(([, mode]) => mode === 'readwrite')
    transaction.mockRestore()
    expect(written.length).toBeGreaterThan(0)
    for (const [, , options] of written) expect(options).toEqual({ durability: 'strict' })
  })

  test('is there from the first login, destroyed at the logout, and opened by the same password', async () => {
    const { keys, login, record, seal, open } = scene()
    await login('password')
    const sealed = await seal('秘密')
    await keys.lock(nobody)
    for (const key of (await record()).keys) expect(Object.keys(key).toSorted()).toEqual(['id', 'wrapped'])
    await expect(open(sealed)).rejects.toThrow('no-key')
    await expect(seal('もっと')).rejects.toThrow('no-key')
    await login('password')
    expect(await open(sealed)).toBe('秘密')
    expect((await record()).keys).toHaveLength(1)
  })

  test('that another tab destroys opens what this one is still reading, until it has closed and forgets it', async () => {
    const { keys, login, record } = scene()
    await login('password')
    const ring = keys.ring(USER)
    await ring.current()
    const { current } = await record()
    await keys.lock(nobody)
    expect(await ring.byId(current)).not.toBeNull()
    ring.forget()
    expect(await ring.byId(current)).toBeNull()
    await expect(ring.current()).rejects.toThrow('no-key')
  })

  test('cannot be read out while it is usable', async () => {
    const { login, record } = scene()
    await login('password')
    for (const { usable, opener } of (await record()).keys)
      for (const key of [usable, opener]) expect(key?.extractable).toBe(false)
  })

  test('goes under the new password where it was usable until now: a session that timed out', async () => {
    const { keys, login, record, seal, open } = scene()
    await login('before')
    const sealed = await seal('秘密')
    await login('after')
    expect(await open(sealed)).toBe('秘密')
    expect(await record()).toMatchObject({ current: 'k-1' })
    await keys.lock(nobody)
    expect(await keys.openEarlier(USER, 'before')).toEqual([])
    await login('after')
    expect(await open(sealed)).toBe('秘密')
  })

  test('waits for the old password where it was changed after a logout; what is new has a new one', async () => {
    const { keys, login, record, seal, open } = scene()
    await login('before')
    const sealed = await seal('秘密')
    await keys.lock(nobody)
    await login('after')
    const now = await record()
    expect([now.current, usableIds(now), now.keys.length]).toEqual(['k-2', ['k-2'], 2])
    await expect(open(sealed)).rejects.toThrow('no-key')
    expect(await open(await seal('新しい'))).toBe('新しい')
    expect(await keys.openEarlier(USER, 'wrong')).toEqual([])
    expect(usableIds(await record())).toEqual(['k-2'])
    expect(await keys.openEarlier(USER, 'before')).toEqual(['k-1'])
    expect([(await record()).current, usableIds(await record()).toSorted()]).toEqual(['k-2', ['k-1', 'k-2']])
    // after a logout no key is made usable without a login
    await keys.lock(nobody)
    expect(await keys.openEarlier(USER, 'before')).toEqual([])
    expect(usableIds(await record())).toEqual([])
  })

  test('of before is the present one again where the password was changed back', async () => {
    const { keys, login, record, seal, open } = scene()
    await login('before')
    const sealed = await seal('秘密')
    await keys.lock(nobody)
    await login('after')
    await keys.lock(nobody)
    await login('before')
    expect([(await record()).current, usableIds(await record())]).toEqual(['k-1', ['k-1']])
    expect(await open(sealed)).toBe('秘密')
  })

  test('is opened without the CRM by the password, and by nothing else', async () => {
    const { keys, login, offline, record, seal, open } = scene()
    expect(await offline('password')).toEqual([false])
    await login('password')
    const sealed = await seal('秘密')
    await keys.lock(nobody)
    expect(await offline('wrong')).toEqual([false])
    expect(await offline('password', 'demo5')).toEqual([false])
    expect(usableIds(await record())).toEqual([])
    expect(await offline('password')).toEqual([true, WHO])
    expect(await open(sealed)).toBe('秘密')
  })

  test('stays for who is signed in, whatever another tab sweeps', async () => {
    const { keys, login, record } = scene()
    await login('password')
    await keys.lock(async (user) => user === USER)
    await keys.forget(USER, async () => true)
    expect(usableIds(await record())).toEqual(['k-1'])
    await keys.forget(USER, nobody)
    expect((await record()).keys).toEqual([])
  })

  test('of a login that meets a logout in another tab is usable with its session, or neither is there', async () => {
    const { tab, record, login } = scene()
    await login('password')
    let session: string | null = USER
    const trying = await tab().trying('demo6', 'password')
    const logout = async () => {
      session = null
      await tab().lock(async (user) => session === user)
    }
    const signedIn = async () => void (session = USER)
    await Promise.all([
      logout(),
      trying.login({ user: USER, userName: 'demo6', who: WHO }, signedIn),
      logout(),
    ])
    expect(usableIds(await record())).toEqual(session === null ? [] : ['k-1'])
  })

  test('of a later version of the app is not written over', async () => {
    const { login, store } = scene()
    await set(USER, { form: 2 }, createStore('genba-keys', 'users'))
    await expect(login('password')).rejects.toThrow('another version')
    expect(await store.all()).toEqual([])
  })
})

describe('[SV8] the recovery key', async () => {
  const [pair, other] = [recoveryPair(), recoveryPair()]
  const key = await recoveryKeyOf(pair.publicKey)

  test('opens what any password sealed: a new key, one of before, one that a changed password left', async () => {
    let recovery: Recovery = 'none'
    const { keys, login, offline, record, seal } = scene(async () => recovery)
    const recoveredFrom = async (sealed: Sealed, pkcs8: ArrayBuffer) => {
      const kept = (await record()).keys.find(({ id }) => id === sealed.key)
      const wrap = kept && recoveryWrapOf(kept)
      if (!kept || !wrap) return 'not wrapped'
      const raw = await recovered(pkcs8, kept.id, wrap.bytes).catch(() => null)
      if (!raw) return 'of another'
      const data = { id: kept.id, key: await usableKey(raw) }
      return createSealer(ringOf(data)).openValue(PLACE, sealed)
    }
    await login('before')
    const sealed = await seal('秘密')
    expect(await recoveredFrom(sealed, pair.pkcs8)).toBe('not wrapped')
    await keys.lock(nobody)
    recovery = key
    await offline('before')
    expect(await recoveredFrom(sealed, pair.pkcs8)).toBe('秘密')
    expect(await recoveredFrom(sealed, other.pkcs8)).toBe('of another')
    await keys.lock(nobody)
    await login('after')
    expect(await recoveredFrom(sealed, pair.pkcs8)).toBe('秘密')
    expect(await recoveredFrom(await seal('新しい'), pair.pkcs8)).toBe('新しい')
  })

  test('is taken over by another at the next login, gone with it, and left alone where it cannot be read', async () => {
    let recovery: Recovery = key
    const { keys, login, record, store } = scene(async () => recovery)
    const ways = async () =>
      (await record()).keys.map((kept) => [recoveryWrapOf(kept)?.by, Reflect.get(kept.wraps ?? {}, 'later')])
    await login('password')
    const before = await store.get(USER)
    if (!before) throw new Error('no record')
    // another part's, of a later version maybe
    const wrapped = before.keys.map((kept) => ({ ...kept, wraps: { ...kept.wraps, later: 'theirs' } }))
    await store.set(USER, { ...before, keys: wrapped })
    const next = async (now: Recovery, password = 'password', isFirst = true) => {
      recovery = now
      if (isFirst) await keys.lock(nobody)
      await login(password)
      return ways()
    }
    expect(await next('unknown')).toEqual([[key.by, 'theirs']])
    const second = await recoveryKeyOf(other.publicKey)
    expect(await next(second)).toEqual([[second.by, 'theirs']])
    expect(await next(second, 'changed', false)).toEqual([[second.by, 'theirs']])
    expect(await next('none', 'changed')).toEqual([[undefined, 'theirs']])
  })

  test.each(['', 'x', 'AAAA', '-----BEGIN PUBLIC KEY-----', 'A'.repeat(3_000)])(
    '%j is none',
    async (text) => {
      const found = await recoveryKeyOf(text).catch(() => null)
      expect(found).toBeNull()
    },
  )

  test('of too few bits is none; as PEM it is one', async () => {
    await expect(recoveryKeyOf(recoveryPair(2_048).publicKey)).rejects.toThrow('2048')
    const pem = `-----BEGIN PUBLIC KEY-----\n${pair.publicKey}\n-----END PUBLIC KEY-----\n`
    expect((await recoveryKeyOf(pem)).by).toBe(key.by)
  })
})
