import { describe, expect, test, vi } from 'vitest'
import { IDBFactory } from 'fake-indexeddb'
import { sealedDays } from '../../support/sealed-days.ts'
import { closeUsers, eachOnAnEmptyDevice, type PlantedSeal } from '../../support/sealed-user.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'

const SEEDS = Array.from({ length: process.env['SLOW'] ? 60 : 4 }, (_, n) => n + 1)
/** In so many days each defect is told. */
const MOST_SEEDS = 12

eachOnAnEmptyDevice()

test.each(SEEDS)(
  '[SV3][SV4] random days of sealed stores, seed %i: nothing lost, nothing readable',
  async (seed) => {
    expect(await sealedDays(seed)).toBeNull()
  },
)

/** The browser's cryptography, but for what binds a content to its place. */
function unbound(): Crypto {
  const { subtle } = crypto
  const without = (algorithm: AesGcmParams) => ({ name: algorithm.name, iv: algorithm.iv })
  const blind: Pick<SubtleCrypto, 'encrypt' | 'decrypt'> = {
    encrypt: (algorithm, key, data) => subtle.encrypt(without(algorithm as AesGcmParams), key, data),
    decrypt: (algorithm, key, data) => subtle.decrypt(without(algorithm as AesGcmParams), key, data),
  }
  const other = new Proxy(subtle, {
    get: (target, name) => {
      const own: unknown = Reflect.get(blind, name) ?? Reflect.get(target, name)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
  return new Proxy(crypto, {
    get: (target, name) => {
      const own: unknown = name === 'subtle' ? other : Reflect.get(target, name)
      return typeof own === 'function' ? own.bind(target) : own
    },
  })
}

/** Leaves the text in clear beside what it seals. */
const leaking = (sealer: Sealer): Sealer => ({
  ...sealer,
  sealValue: async (place, value) =>
    Object.assign(await sealer.sealValue(place, value), { text: JSON.stringify(value) }),
})

/** Faults of the parts that seal, each with the law that tells it. */
const DEFECTS: readonly [
  name: string,
  planted: PlantedSeal & { cryptography?: () => Crypto },
  told: RegExp,
][] = [
  [
    'a key that no password has opened yet is forgotten when its rows are taken over',
    {
      keys: (keys) => ({
        ...keys,
        change: (user, changed) =>
          keys.change(user, async (record) => {
            const now = await changed(record)
            return now && { ...now, keys: now.keys.filter(({ id, usable }) => usable ?? id === now.current) }
          }),
      }),
    },
    /opened by no password/,
  ],
  ['the place of a row is not bound to its content', { cryptography: unbound }, /in the place of another/],
  [
    'rows are written in clear after the first logout',
    {
      sealer: (sealer, opening) => (opening === 0 ? sealer : leaking(sealer)),
    },
    /readable after the logout|opened by no password/,
  ],
  [
    'the key stays usable at the logout',
    { keys: (keys) => ({ ...keys, lock: async () => undefined }) },
    /usable after the logout/,
  ],
  [
    'the old password opens nothing of what is locked',
    {
      keys: (keys) => ({ ...keys, openEarlier: async () => [] }),
    },
    /opened by no password/,
  ],
]

describe('[SV3][SV4] a planted defect is told', () => {
  test.each(DEFECTS)('%s', async (_, planted, told) => {
    if (planted.cryptography) vi.stubGlobal('crypto', planted.cryptography())
    let broken: string | null = null
    for (let seed = 1; broken === null && seed <= MOST_SEEDS; seed += 1) {
      vi.stubGlobal('indexedDB', new IDBFactory())
      broken = await sealedDays(seed, planted)
      await closeUsers()
    }
    expect(broken ?? 'not told').toMatch(told)
  })
})
