/**
 * `recoveryPublicKey` of config.json and of the build (decisions/encryption): what is a good one, and who is told where
 * it is not.
 */
import 'fake-indexeddb/auto'
import { generateKeyPairSync } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { problemsOf } from '#build/own-values.ts'
import { settingsOf } from '#app/config/env.ts'
import { openKeys } from '#app/session/state/keys.ts'
import { readConfig } from '#app/config/read-config.ts'
import { i18n } from '../../support/i18n.ts'
import { recoveryPair } from '../../support/recovery-pair.ts'

const { publicKey } = recoveryPair()
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
const EC = ec.export({ format: 'der', type: 'spki' }).toString('base64')
const WRONG = ['AAAA', 'no key', EC, recoveryPair(2_048).publicKey]

const read = (recoveryPublicKey: unknown) => {
  const fetch = async () => Response.json({ recoveryPublicKey, crmId: 'c' })
  return readConfig({ fetch, known: null, version: '1', i18n })
}

test('[SV8] a good one is kept, and what config.json says goes before the build', async () => {
  const answer = await read(publicKey)
  expect(answer).toMatchObject({
    kind: 'read',
    problems: [],
    config: { said: { recoveryPublicKey: publicKey } },
  })
  const built = { codeLabels: {}, recoveryPublicKey: 'built' } as Parameters<typeof settingsOf>[0]
  expect(settingsOf(built, { recoveryPublicKey: publicKey }).recoveryPublicKey).toBe(publicKey)
  expect(settingsOf(built, {}).recoveryPublicKey).toBe('built')
  expect(problemsOf({ VITE_RECOVERY_PUBLIC_KEY: publicKey })).toEqual([])
})

test.each([...WRONG, 7, 'A'.repeat(2_001)])('[SV8] %j is refused by its name', async (wrong) => {
  const answer = await read(wrong)
  expect(answer.kind).toBe('refused')
  expect(answer.problems.join()).toContain('recoveryPublicKey')
})

test.each(WRONG)('[SV8] no build is made with %j', (wrong) => {
  expect(problemsOf({ VITE_RECOVERY_PUBLIC_KEY: wrong }).join()).toContain('VITE_RECOVERY_PUBLIC_KEY')
})

test('[SV8] one that is none keeps nobody from the login, and is reported', async () => {
  const report = vi.fn<(problem: unknown) => void>()
  const keys = await openKeys('', { publicKey: () => 'AAAA', report })
  const trying = await keys.trying('demo6', 'password')
  const who = { userName: 'demo6', userInfo: { id: 'u', userFlag: 6, loginUserName: '' } }
  const signedIn = vi.fn<() => Promise<void>>(async () => undefined)
  await trying.login({ user: 'genba-1', userName: 'demo6', who }, signedIn)
  expect(signedIn).toHaveBeenCalledOnce()
  expect(String(report.mock.calls[0]?.[0])).toContain('recoveryPublicKey')
})
