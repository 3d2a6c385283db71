/**
 * A hash chain of a user's photos for each day, which shows if a photo was edited later (decisions/report-pdf). An
 * entry has the SHA-256 of a photo's sent bytes, its time, place and request:
 *
 *     entry ─→ digest = SHA-256(entry)
 *     head 0 ─→ head 1 = SHA-256(head 0, digest 1) ─→ head 2 = SHA-256(head 1, digest 2) ─→ … ─→ last head, in the PDF
 *
 * A PDF contains the entries of its own photos, and only the digests of the day's other photos.
 */
import { hasShapeOf, readStoredJson } from '#lib/browser/stored-json.ts'

const NO_ENTRY = { hash: '', at: '', place: '', requestId: '' }
/** `hash`: SHA-256 of the photo's sent bytes, in hex. `at`: ISO time. `place`: `lat,lon` or ''. */
type ChainEntry = typeof NO_ENTRY
/** An entry with the key of its photo. If the photo's position was found later, the photo has a second entry. */
export type StoredEntry = ChainEntry & { key: string }

/** `index`: position of the photo's entry in the chain of its day. */
type ProvenPhoto = ChainEntry & { name: string; day: string; index: number }

/** The proof in a PDF: the entries of its photos, and the chains of their days. `sum`: SHA-256 of both. */
export interface PhotoProof {
  version: 1
  days: { day: string; digests: string[]; head: string }[]
  photos: ProvenPhoto[]
  sum: string
}

/** Name of the PDF's attachment with the proof. */
export const PROOF_FILE = 'photo-record.json'
const START = '0'.repeat(64)

export async function sha256(bytes: BufferSource): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const ofText = (text: string) => sha256(new TextEncoder().encode(text))
const digestOf = ({ hash, at, place, requestId }: ChainEntry) =>
  ofText(JSON.stringify([hash, at, place, requestId]))

async function headOf(digests: readonly string[]): Promise<string> {
  let head = START
  for (const digest of digests) head = await ofText(head + digest)
  return head
}

const sumOf = ({ days, photos }: Pick<PhotoProof, 'days' | 'photos'>) =>
  ofText(JSON.stringify([days, photos]))

/** Returns the chain entries in the stored values of a draft (JSON); [] if the draft has none. */
export function entriesIn(values: string): StoredEntry[] {
  const { entries } = readStoredJson<{ entries: unknown[] }>(values, { entries: [] })
  return entries.filter((each) => hasShapeOf(each, { ...NO_ENTRY, key: '' }))
}

/** The proof of these photos; null if no chain contains one. @param chains entries of each day, in order */
export async function proofOf(
  chains: ReadonlyMap<string, readonly StoredEntry[]>,
  photos: readonly { key: string; fileName: string }[],
): Promise<PhotoProof | null> {
  const proven = photos.flatMap(({ key, fileName }) => {
    for (const [chainDay, entries] of chains) {
      const index = entries.findLastIndex((each) => each.key === key)
      const found = entries[index]
      if (found) {
        const { hash, at, place, requestId } = found
        return { hash, at, place, requestId, name: fileName, day: chainDay, index }
      }
    }
    return []
  })
  if (proven.length === 0) return null
  const used = [...chains].filter(([chainDay]) => proven.some((each) => each.day === chainDay))
  const days = await Promise.all(
    used.map(async ([chainDay, entries]) => {
      const digests = await Promise.all(entries.map(digestOf))
      return { day: chainDay, digests, head: await headOf(digests) }
    }),
  )
  return { version: 1, days, photos: proven, sum: await sumOf({ days, photos: proven }) }
}

/**
 * `changed`: the file has a photo's name but other bytes. `missing`: no file belongs to the photo. `order`: the photo
 * has another photo's name, or another place in the chain. `renamed`: the file has a photo's bytes but an unknown name.
 * `unknown`: the file is not in the proof.
 */
export type Verdict = 'unchanged' | 'changed' | 'missing' | 'order' | 'renamed' | 'unknown'
export interface Verified {
  isIntact: boolean
  photos: readonly { name: string; verdict: Verdict; fileName?: string }[]
}
export type HashedFile = { name: string; hash: string }

/** Compares files with the proof in a PDF. Each photo of the proof and each other file gets a verdict. */
export async function verified(proven: PhotoProof, files: readonly HashedFile[]): Promise<Verified> {
  const unmatched = [...files]
  const take = (isMatch: (file: HashedFile) => boolean) => {
    const index = unmatched.findIndex(isMatch)
    return index < 0 ? undefined : unmatched.splice(index, 1)[0]
  }
  const names = new Set(proven.photos.map(({ name }) => name))
  const found = new Map<ProvenPhoto, { verdict: Verdict; fileName?: string }>()
  const notFound = () => proven.photos.filter((each) => !found.has(each))
  // Right name and bytes come first, so that a copy under another name is not taken for the photo.
  for (const each of proven.photos)
    if (take(({ name, hash }) => name === each.name && hash === each.hash))
      found.set(each, { verdict: 'unchanged' })
  for (const each of notFound()) {
    const file = take(({ hash }) => hash === each.hash)
    if (file) found.set(each, { verdict: names.has(file.name) ? 'order' : 'renamed', fileName: file.name })
  }
  for (const each of notFound())
    found.set(each, { verdict: take(({ name }) => name === each.name) ? 'changed' : 'missing' })
  const moved = await Promise.all(proven.photos.map((each) => isMoved(proven, each)))
  const photos = proven.photos.map((each, index) => {
    const { verdict, ...rest } = found.get(each) ?? { verdict: 'missing' as const }
    const isInWrongPlace = moved[index] && verdict === 'unchanged'
    return { name: each.name, verdict: isInWrongPlace ? ('order' as const) : verdict, ...rest }
  })
  // A file with a photo's name but other bytes is an edited photo, even if the photo also exists under another name.
  const others = unmatched.map(
    ({ name }) => ({ name, verdict: names.has(name) ? 'changed' : 'unknown' }) as const,
  )
  return { isIntact: await isIntact(proven), photos: [...photos, ...others] }
}

async function isMoved({ days }: PhotoProof, each: ProvenPhoto): Promise<boolean> {
  const digests = days.find((one) => one.day === each.day)?.digests ?? []
  const digest = await digestOf(each)
  return digests[each.index] !== digest && digests.includes(digest)
}

async function isIntact(proven: PhotoProof): Promise<boolean> {
  const heads = await Promise.all(proven.days.map(({ digests }) => headOf(digests)))
  const digests = await Promise.all(proven.photos.map(digestOf))
  const isInChain = (each: ProvenPhoto, index: number) =>
    proven.days.find((one) => one.day === each.day)?.digests[each.index] === digests[index]
  return (
    proven.days.every(({ head }, index) => head === heads[index]) &&
    proven.photos.every(isInChain) &&
    (await sumOf(proven)) === proven.sum
  )
}
