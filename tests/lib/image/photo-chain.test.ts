/** The record of photos: what it says of edits, cuts, swaps and renames afterwards (decisions/report-pdf). */
import { expect, test } from 'vitest'
import { proofIn } from '#features/verify/read-proof.ts'
import {
  entriesIn,
  proofOf,
  sha256,
  verified,
  type PhotoProof,
  type StoredEntry,
  type Verified,
} from '#lib/image/photo-chain.ts'

const COUNT = 20
/** 10,000 took 58 s on a loaded machine; the night takes them (`SLOW=1`). */
const ROUNDS = process.env['SLOW'] ? 10_000 : 500
const DAY = '2026-11-20'
type Bytes = Uint8Array<ArrayBuffer>
interface OpenFile {
  name: string
  bytes: Bytes
}

const bytesOf = (seed: number): Bytes =>
  Uint8Array.from({ length: 40 + (seed % 7) }, (_, at) => (seed * 31 + at * 17 + ((at * seed) >> 2)) % 256)
const FILES: readonly OpenFile[] = Array.from({ length: COUNT }, (_, at) => ({
  name: `2026112009${String(at).padStart(2, '0')}00000_${at}.jpg`,
  bytes: bytesOf(at + 1),
}))

async function chainOf(files: readonly OpenFile[]): Promise<StoredEntry[]> {
  return Promise.all(
    files.map(async ({ bytes }, at) => ({
      key: `p${at}`,
      hash: await sha256(bytes),
      at: `2026-11-20T09:${String(at).padStart(2, '0')}:00+09:00`,
      place: at % 3 === 0 ? '' : '35.6,139.7',
      requestId: at < 15 ? 'r1' : 'r2',
    })),
  )
}
const KEYS = FILES.map(({ name }, at) => ({ key: `p${at}`, fileName: name }))

async function proven(): Promise<PhotoProof> {
  const proof = await proofOf(new Map([[DAY, await chainOf(FILES)]]), KEYS)
  if (!proof) throw new Error('no proof')
  return proof
}
const hashes = new Map<Bytes, Promise<string>>()
const check = async (proof: PhotoProof, files: readonly OpenFile[]): Promise<Verified> => {
  const hashOf = (bytes: Bytes) => {
    const known = hashes.get(bytes) ?? sha256(bytes)
    hashes.set(bytes, known)
    return known
  }
  const hashed = files.map(async ({ name, bytes }) => ({ name, hash: await hashOf(bytes) }))
  return verified(proof, await Promise.all(hashed))
}
const verdicts = ({ photos }: Verified) => photos.map(({ verdict }) => verdict)
const others = (result: Verified) =>
  result.photos
    .filter(({ verdict }) => verdict !== 'unchanged')
    .map(({ name, verdict }) => `${verdict} ${name}`)

/** A small generator, the same numbers each time. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test('the text of a proof is read as it was written, and anything else is none', async () => {
  const proof = await proven()
  expect(proofIn(JSON.stringify(proof))).toEqual(proof)
  for (const text of [
    '',
    '{}',
    '[]',
    'null',
    JSON.stringify({ ...proof, version: 2 }),
    JSON.stringify({ ...proof, sum: 'x' }),
  ])
    expect(proofIn(text)).toBeNull()
  for (const text of ['', '{}', '{"entries":[{"key":1}]}', 'x']) expect(entriesIn(text)).toEqual([])
})

test('photos as they were, in any order and among others, are unchanged', async () => {
  const result = await check(await proven(), FILES.toReversed())
  expect(result.isIntact).toBe(true)
  expect(new Set(verdicts(result))).toEqual(new Set(['unchanged']))
})

test('an edited photo is told beside its original under another name', async () => {
  const [first, ...rest] = FILES
  if (!first) throw new Error('no file')
  const copy = { name: 'copy.jpg', bytes: first.bytes }
  const result = await check(await proven(), [{ ...first, bytes: bytesOf(99) }, copy, ...rest])
  expect(others(result)).toEqual([`renamed ${first.name}`, `changed ${first.name}`])
})

test('a report has the entries of its own photos, and of the others of that day nothing but digests', async () => {
  const entries = await chainOf(FILES)
  const proof = await proofOf(new Map([[DAY, entries]]), KEYS.slice(3, 5))
  expect(proof?.photos.map(({ index }) => index)).toEqual([3, 4])
  expect(proof?.days[0]?.digests).toHaveLength(COUNT)
  expect(JSON.stringify(proof)).not.toContain(entries[9]?.hash)
  expect(await proofOf(new Map([[DAY, entries]]), [{ key: 'elsewhere', fileName: 'a.jpg' }])).toBeNull()
})

test('a position that is found later is the one that counts', async () => {
  const entries = await chainOf(FILES.slice(0, 2))
  const placed = entries.map((each) => ({ ...each, place: '34.7,135.5' }))
  const proof = await proofOf(new Map([[DAY, [...entries, ...placed.slice(0, 1)]]]), KEYS.slice(0, 2))
  expect(proof?.photos.map(({ place, index }) => [place, index])).toEqual([
    ['34.7,135.5', 2],
    ['35.6,139.7', 1],
  ])
})

test('a photo of the night before is found in its own chain', async () => {
  const entries = await chainOf(FILES.slice(0, 3))
  const days = new Map([
    ['2026-11-19', entries.slice(0, 1)],
    [DAY, entries.slice(1)],
  ])
  const proof = await proofOf(days, KEYS.slice(0, 3))
  expect(proof?.days.map(({ day }) => day)).toEqual(['2026-11-19', DAY])
  expect(proof && (await check(proof, FILES.slice(0, 3))).isIntact).toBe(true)
})

test('random edits, cuts, swaps and renames of 20 photos: each is told, and nothing else', async () => {
  const proof = await proven()
  const next = numbers(7)
  for (let round = 0; round < ROUNDS; round += 1) {
    const at = next(COUNT)
    const other = (at + 1 + next(COUNT - 1)) % COUNT
    const [one, two] = [FILES[at], FILES[other]]
    if (!one || !two) throw new Error('no file')
    const flip = next(one.bytes.length)
    const acts: Record<string, { files: OpenFile[]; told: string[] }> = {
      edit: {
        files: FILES.with(at, {
          ...one,
          bytes: one.bytes.map((byte, i) => (i === flip ? byte ^ (1 << next(8)) : byte)),
        }),
        told: [`changed ${one.name}`],
      },
      cut: {
        files: FILES.with(at, { ...one, bytes: one.bytes.slice(0, flip) }),
        told: [`changed ${one.name}`],
      },
      lost: { files: FILES.toSpliced(at, 1), told: [`missing ${one.name}`] },
      swap: {
        files: FILES.with(at, { ...one, name: two.name }).with(other, { ...two, name: one.name }),
        told: [`order ${one.name}`, `order ${two.name}`].toSorted(),
      },
      rename: { files: FILES.with(at, { ...one, name: 'IMG_1.jpg' }), told: [`renamed ${one.name}`] },
      added: {
        files: [...FILES, { name: 'IMG_2.jpg', bytes: Uint8Array.of(round % 256, 1, 2) }],
        told: ['unknown IMG_2.jpg'],
      },
      none: { files: [...FILES], told: [] },
    }
    const [act, { files, told }] = Object.entries(acts)[next(7)] ?? ['none', { files: [...FILES], told: [] }]
    const result = await check(proof, files)
    expect([act, result.isIntact, others(result).toSorted()]).toEqual([act, true, told])
  }
}, 120_000)

test('any edit of the record itself is told', async () => {
  const proof = await proven()
  const text = JSON.stringify(proof)
  const edits: ((copy: PhotoProof) => void)[] = [
    (copy) => copy.photos.splice(3, 1),
    (copy) => copy.photos.reverse(),
    (copy) => copy.days[0]?.digests.splice(3, 1),
    (copy) => copy.days[0]?.digests.reverse(),
    (copy) => copy.days.splice(0, 1),
    ...(['hash', 'at', 'place', 'requestId', 'name', 'day'] as const).map((field) => (copy: PhotoProof) => {
      const photo = copy.photos[5]
      if (photo) photo[field] = field === 'hash' ? '1'.repeat(64) : 'x'
    }),
    (copy) => {
      const photo = copy.photos[5]
      if (photo) photo.index += 1
    },
  ]
  for (const edit of edits) {
    const copy: PhotoProof = JSON.parse(text)
    edit(copy)
    expect([edit.toString(), (await check(copy, FILES)).isIntact]).toEqual([edit.toString(), false])
  }
  const moved: PhotoProof = JSON.parse(text)
  for (const photo of moved.photos.slice(5, 6)) photo.index = 6
  expect(others(await check(moved, FILES))).toEqual([`order ${FILES[5]?.name}`])
})
