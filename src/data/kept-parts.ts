/**
 * Small parts of a collection's documents as they were when the app was last open (decision 0081): the first screen is drawn
 * of them, and the documents are looked at afterwards where any was written since (`storage/projection.ts`). They lie beside
 * the answers of the CRM (`kept-answers.ts`): as long as those, sealed as those, and a failure costs one whole read.
 *
 *     parts settled ─→ in their order, in pieces ─→ new ones written ─→ marked    anything written ─→ the mark goes
 *     start: the mark says which pieces there are ─→ given    a piece is missing, no mark ─→ all documents are read
 */
import type { Observable } from 'rxjs'
import { debounced } from '#lib/debounced.ts'
import type { KeptAnswersTable } from './kept-answers.ts'
import type { Database } from './database.ts'
import type { AllParts, KeptParts } from './storage/projection.ts'
import type { WriteStand } from './storage/write-stand.ts'

const SETTLED_MS = 3_000

/** Some hundred characters, on the disk before the next line runs. */
export interface PartsMark {
  get(): string | null
  /** Null: what is kept is behind. */
  set(text: string | null): void
}

export interface KeptPlace {
  answers: Pick<KeptAnswersTable, 'get' | 'put' | 'confirm' | 'remove' | 'written'>
  mark: PartsMark
  /** Of the build: another one may know other parts. */
  version: string
  /** Resolves when the screen needs nothing, not before the first one stands. */
  rest: () => Promise<unknown>
  /** A short text, the same for the same value. */
  digest: (value: unknown) => string
  /** How long nothing is written before they are kept. */
  settledMs?: number
}

/** What a part is made of, as it is kept: texts, of which each is written once in a piece. */
export type Value = string | boolean | null | readonly Value[]

/** A part as it is kept, beside its key. */
export interface PartCodec<P> {
  toValues(part: P): readonly Value[]
  ofValues(values: readonly Value[]): P
  keyOf(part: P): string
  /** Those of one group lie together, the groups by their names and each of them by this. */
  sortKeyOf(part: P): string
  groupOf(part: P): string
}

const places = new WeakMap<Database, KeptPlace>()

/** Says where parts of this database's requests are kept. Whatever writes to them, on whatever screen, puts the mark out. */
export function keepPartsAt(db: Database, place: KeptPlace): void {
  places.set(db, place)
  const written$: Observable<unknown> = db.requests.$
  written$.subscribe(() => place.mark.set(null))
}

/** @returns null where nothing is kept */
export function keptPartsOf<P>(
  db: Database,
  name: string,
  codec: () => Promise<PartCodec<P>>,
): KeptParts<P> | null {
  const place = places.get(db)
  return place ? createKeptParts(place, name, codec) : null
}

/** What the mark says: by which build, how far the store's writes had come, and the pieces in their order. */
type Marked = [version: string, stand: WriteStand | null, ...tags: string[]]

/** How they are written: not what a first visit waits for. */
const loadPieces = async <P>(codec: () => Promise<PartCodec<P>>) => {
  const [pieces, loaded] = await Promise.all([import('./packed-pieces.ts'), codec()])
  return { ...pieces, codec: loaded }
}

/** @returns null where one of them is not there */
async function textsOf(
  answers: KeptPlace['answers'],
  tags: readonly string[],
  addressOf: (tag: string) => string,
): Promise<string[] | null> {
  const found = await Promise.all(tags.map((tag) => answers.get(addressOf(tag))))
  const texts = found.flatMap((answer, at) => (answer?.etag === tags[at] ? (answer?.text ?? []) : []))
  return texts.length === tags.length ? texts : null
}

function createKeptParts<P>(
  { answers, mark, version, rest, digest, settledMs = SETTLED_MS }: KeptPlace,
  name: string,
  codec: () => Promise<PartCodec<P>>,
): KeptParts<P> {
  const addressOf = (tag: string) => `parts:${name}/${tag}`
  /** Raised by each write to the requests and at the end; work begun under a lower number is discarded. */
  let turn = 0
  let kept: readonly string[] = []
  /** Null until all of them were read: fewer would be shown for all. */
  let look: (() => Promise<AllParts<P>>) | null = null
  const settling = debounced(() => void keep().catch(() => undefined), settledMs)

  async function keep(): Promise<void> {
    const begun = turn
    if (!look) return
    const pieces = await loadPieces(codec)
    const { parts, stand } = await look()
    const made: { tag: string; text: string | null }[] = []
    for (const text of pieces.packedPieces(parts, pieces.codec)) {
      await rest()
      const tag = digest(text)
      made.push({ tag, text: kept.includes(tag) ? null : text })
    }
    if (begun !== turn) return
    for (const tag of kept) if (!made.some((piece) => piece.tag === tag)) answers.remove(addressOf(tag))
    for (const { tag, text } of made)
      if (text === null) answers.confirm(addressOf(tag))
      else answers.put(addressOf(tag), { etag: tag, text, total: null })
    kept = made.map(({ tag }) => tag)
    await answers.written()
    if (begun === turn) mark.set(JSON.stringify([version, stand, ...kept] satisfies Marked))
  }
  async function read(): Promise<AllParts<P> | null> {
    const [by, stand, ...tags] = JSON.parse(mark.get() ?? '[]') as Marked
    if (by !== version) return null
    const [texts, pieces] = await Promise.all([textsOf(answers, tags, addressOf), loadPieces(codec)])
    if (!texts) return null
    kept = tags
    return { parts: await pieces.unpacked(texts, pieces.codec), stand }
  }
  return {
    read,
    rest,
    changed() {
      turn += 1
      settling.soon()
    },
    settled(all, isKept) {
      look = all
      if (isKept) for (const tag of kept) answers.confirm(addressOf(tag))
      else settling.soon()
    },
    stop() {
      turn += 1
      settling.cancel()
    },
  }
}
