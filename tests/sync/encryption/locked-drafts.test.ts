/** Drafts that an earlier password sealed: which of them are 封印中, and what they meet in the present stores. */
import { afterEach, expect, test } from 'vitest'
import { draftOf, storeValues } from '#data/drafts/drafts.ts'
import { addToChain, chainsOf } from '#data/drafts/photo-chains.ts'
import { isCounted } from '#data/locked/locked-rows.ts'
import { leaveLocked, takeOver } from '#data/locked/take-over.ts'
import type { StoredEntry } from '#lib/image/photo-chain.ts'
import { lockedOf, takingOver } from '../../support/locked-data.ts'
import type { Device } from '../../support/device.ts'
import { todayScene } from '../../support/replication.ts'
import { dataKey, sealedBy, sealerOf } from '../../support/seal-keys.ts'

const app = todayScene()
const DRAFT = 'emergencyReport/add/r-1'
const DAY = '2026-11-20'
const [KEY, OTHER] = [await dataKey('k-1'), await dataKey('k-2')]

const reported: string[] = []
const report = (problem: unknown) => void reported.push(String(problem))

afterEach(() => void (reported.length = 0))

const entry = (key: string): StoredEntry => ({
  key,
  hash: key.repeat(64).slice(0, 64),
  at: `${DAY}T10:00:00+09:00`,
  place: '',
  requestId: 'r-1',
})

/** Opens the app under a key, saves this and closes it. @returns the name of its stores */
async function sealed(saves: (device: Device) => Promise<unknown>) {
  app.phone.storageOptions = sealedBy(sealerOf(KEY))
  const device = await app.open({ online: false })
  await saves(device)
  const { name } = device.db
  await app.close(device)
  return name
}

/** Opens the app under another key. */
async function underOther() {
  app.phone.storageOptions = sealedBy(sealerOf(OTHER))
  const device = await app.open({ online: false })
  const returned: string[] = []
  const parts = {
    ...takingOver(app.phone, device, report),
    returned: (key: string) => void returned.push(key),
  }
  const left = (stores: string) => lockedOf(app.phone.storage.indexedDB, stores)
  const counted = async (stores: string) => (await left(stores)).filter(isCounted).length
  return { device, parts, returned, counted, left, take: (stores: string) => takeOver(parts, stores, KEY) }
}

test('[SV8] the hash chain of photos that were sent is not 封印中, and does not keep the earlier stores', async () => {
  const stores = await sealed(({ db }) => addToChain(db, DAY, entry('a')))
  const { parts, counted } = await underOther()
  expect(await counted(stores)).toBe(0)
  expect(await leaveLocked(parts, stores)).toBe(false)
})

test('[SV8][decisions/report-pdf] the hash chain of a day that has one in both stores is joined, and keeps nothing locked', async () => {
  const stores = await sealed(async ({ db }) => {
    for (const key of ['a', 'b']) await addToChain(db, DAY, entry(key))
    await storeValues(db, DRAFT, { text: '打ちかけ' })
  })
  const { device, counted, left, take } = await underOther()
  // A kill between the join and the deletion has left the first entry in both.
  for (const key of ['a', 'c']) await addToChain(device.db, DAY, entry(key))
  expect(await counted(stores)).toBe(1)
  expect(await take(stores)).toEqual(new Set())
  expect((await chainsOf(device.db)).get(DAY)?.map(({ key }) => key)).toEqual(['b', 'a', 'c'])
  expect([await left(stores), reported]).toEqual([[], []])
})

test('[encryption] a draft goes into a form whose text was deleted again', async () => {
  const stores = await sealed(({ db }) => storeValues(db, DRAFT, { text: '打ちかけ' }))
  const { device, take, returned } = await underOther()
  await storeValues(device.db, DRAFT, { text: '別の文' })
  expect(await take(stores)).toEqual(new Set(['typed']))
  expect(returned).toEqual([])
  await storeValues(device.db, DRAFT, {})
  expect(await take(stores)).toEqual(new Set())
  expect(returned).toEqual([DRAFT])
  expect(await draftOf(device.db, DRAFT)).toMatchObject({ values: JSON.stringify({ text: '打ちかけ' }) })
})
