/**
 * The login on a device that knows the user: with the CRM's yes, and without an answer of any use
 * (decisions/encryption).
 */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { IDBFactory } from 'fake-indexeddb'
import { i18n } from '@lingui/core'
import type { Session } from '#schemas/device/session.ts'
import { openDeviceValues } from '#app/config/device-values.ts'
import type { KnownUser } from '#app/session/state/keys.ts'
import type { Network } from '#app/network/network.ts'
import type { DeviceSessions } from '#app/session/state/session-store.ts'
import { signIn } from '#app/session/sign-in.ts'
import { openKeyStore } from '#data/encryption/stored-keys.ts'
import { createUserKeys } from '#data/encryption/user-keys.ts'

type Answer = Awaited<ReturnType<Network['signIn']>>

const SESSION: Session = {
  userName: 'demo6',
  expired: false,
  accessToken: 'a',
  refreshToken: 'r',
  userInfo: { id: 'u-6', userFlag: 6, loginUserName: '大西 修' },
}

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  i18n.loadAndActivate({ locale: 'ja', messages: {} })
})
afterEach(() => vi.unstubAllGlobals())

async function device() {
  const values = await openDeviceValues()
  const written: Session[] = []
  const parts = { store: openKeyStore(), isOwn: () => true, locks: undefined }
  const keys = createUserKeys<KnownUser>({ ...parts, rounds: 3, newId: () => 'k-1' })
  const sessions: Pick<DeviceSessions, 'get' | 'write'> = {
    get: () => null,
    write: async (session) => void written.push(session),
  }
  const logIn = (password: string, answer: Answer) =>
    signIn({
      settings: { problem: async () => null },
      network: Promise.resolve({ scope: '', signIn: async () => answer }),
      sessions,
      values,
      keys: async () => keys,
      draft: { userName: 'demo6', password },
    })
  return { logIn, written, values, lock: () => keys.lock(async () => false) }
}

test.each<Answer>([{ kind: 'unreachable' }, { kind: 'busy' }, { kind: 'unexpected', status: 503 }])(
  '[SV3] $kind: the password opens what is on the device, under a session that sends nothing',
  async (answer) => {
    const { logIn, written, lock } = await device()
    await logIn('password', { kind: 'signed-in', session: SESSION })
    await lock()
    expect(await logIn('wrong', answer)).toMatchObject({ kind: 'failed' })
    expect(written).toEqual([SESSION])
    expect(await logIn('password', answer)).toEqual({ kind: 'signed-in' })
    expect(written[1]).toEqual({ ...SESSION, expired: true, accessToken: '', refreshToken: '' })
  },
)

test('[SV4] what the CRM refuses opens nothing', async () => {
  const { logIn, written, lock } = await device()
  await logIn('password', { kind: 'signed-in', session: SESSION })
  await lock()
  expect(await logIn('password', { kind: 'refused', reasons: [] })).toMatchObject({ kind: 'failed' })
  expect(written).toEqual([SESSION])
})

test('[decisions/speed] the CRM is asked while the code of the keys is still on its way, and nobody is signed in before both are there', async () => {
  const { written, values } = await device()
  const ask = vi.fn<Network['signIn']>(async () => ({ kind: 'refused', reasons: [] }))
  let come = () => undefined as void
  const late = new Promise<never>((_, reject) => (come = () => reject(new Error('no keys'))))
  const signing = signIn({
    settings: { problem: async () => null },
    network: Promise.resolve({ scope: '', signIn: ask }),
    sessions: { get: () => null, write: async (session) => void written.push(session) },
    values,
    keys: () => late,
    draft: { userName: 'demo6', password: 'password' },
  })
  await vi.waitFor(() => expect(ask).toHaveBeenCalledOnce())
  come()
  await expect(signing).rejects.toThrow('no keys')
  expect(written).toEqual([])
})
