/**
 * Small parts of a collection's documents as they were when the app was last open (decision 0081): the first screen is drawn
 * of them, and the documents are looked at afterwards (`storage/projection.ts`). They lie beside the answers of the CRM
 * (`kept-answers.ts`): as long as those, sealed as those, and a failure costs one whole read.
 *
 *     parts settled ─→ a few pieces ─→ written ─→ marked    anything written to the collection ─→ the mark goes
 *     start: the mark says what is there ─→ pieces as it says ─→ given    else ─→ all documents are read
 */
import type { Observable } from 'rxjs'
import { debounced } from '#lib/debounced.ts'
import type { KeptAnswersTable } from './kept-answers.ts'
import type { Database } from './database.ts'
import type { KeptParts, Part } from './storage/projection.ts'

/** Each is opened, and parsed, on its own. */
const PIECES = 8
const SETTLED_MS = 3_000

/** A few hundred characters, on the disk before the next line runs. */
export interface Mark {
  get(): string | null
  /** Null: what is kept is behind. */
  set(text: string | null): void
}

export interface KeptPlace {
  answers: Pick<KeptAnswersTable, 'get' | 'put' | 'confirm' | 'written'>
  mark: Mark
  /** Of the build: another one may know other parts. */
  version: string
  /** Resolves when the screen needs nothing, not before the first one stands. */
  rest: () => Promise<unknown>
  /** A short text, the same for the same value. */
  digest: (value: unknown) => string
  /** How long nothing is written before they are kept. */
  settledMs?: number
}

/** A part as it is kept, beside its key: its values, as JSON says them. */
export interface PartCodec<P> {
  toValues(part: P): unknown[]
  ofValues(key: string, values: unknown[]): P
}

const places = new WeakMap<Database, KeptPlace>()

/** Says where parts of this database's requests are kept. Whatever writes to them, on whatever screen, puts the mark out. */
export function keepPartsAt(db: Database, place: KeptPlace): void {
  places.set(db, place)
  const written$: Observable<unknown> = db.requests.$
  written$.subscribe(() => place.mark.set(null))
}

/** @returns null where nothing is kept */
export function keptPartsOf<P>(db: Database, name: string, codec: PartCodec<P>): KeptParts<P> | null {
  const place = places.get(db)
  return place ? createKeptParts(place, name, codec) : null
}

function createKeptParts<P>(
  { answers, mark, version, rest, digest, settledMs = SETTLED_MS }: KeptPlace,
  name: string,
  codec: PartCodec<P>,
): KeptParts<P> {
  const addressOf = (piece: number) => `parts:${name}/${piece}`
  const stampOf = (tags: readonly string[]) => JSON.stringify([version, name, ...tags])
  /** What was begun before something was written is behind. */
  let turn = 0
  let kept: readonly string[] = []
  /** Null until all of them were read: fewer would be shown for all. */
  let look: (() => Parts<P>) | null = null
  const settling = debounced(() => void keep().catch(() => undefined), settledMs)

  async function keep(): Promise<void> {
    const begun = turn
    if (!look) return
    const pieces = await piecesOf(look(), codec, rest)
    if (begun !== turn) return
    const tags = pieces.map((text) => digest(text))
    for (const [at, text] of pieces.entries())
      if (tags[at] === kept[at]) answers.confirm(addressOf(at))
      else answers.put(addressOf(at), { etag: tags[at] ?? '', text, total: null })
    kept = tags
    await answers.written()
    if (begun === turn) mark.set(stampOf(tags))
  }
  return {
    async read() {
      const marked = mark.get()
      if (marked === null) return null
      const found = await Promise.all(Array.from({ length: PIECES }, (_, at) => answers.get(addressOf(at))))
      const tags = found.map((answer) => answer?.etag ?? '')
      if (stampOf(tags) !== marked) return null
      kept = tags
      const texts = found.map((answer) => answer?.text ?? '')
      return partsIn(texts, codec)
    },
    rest,
    changed() {
      turn += 1
      settling.soon()
    },
    settled(parts) {
      look = parts
      settling.soon()
    },
    stop() {
      turn += 1
      settling.cancel()
    },
  }
}

type Parts<P> = ReadonlyMap<string, Part<P>>

/** Always the same one for a key. */
function pieceOf(key: string): number {
  let sum = 0
  for (let at = 0; at < key.length; at += 1) sum += key.charCodeAt(at)
  return sum % PIECES
}

async function piecesOf<P>(
  parts: Parts<P>,
  { toValues }: PartCodec<P>,
  rest: KeptPlace['rest'],
): Promise<string[]> {
  const pieces = Array.from({ length: PIECES }, (): unknown[] => [])
  for (const key of [...parts.keys()].toSorted()) {
    const one = parts.get(key)
    if (one) pieces[pieceOf(key)]?.push([key, one.rev, ...toValues(one.part)])
  }
  const texts: string[] = []
  for (const piece of pieces) {
    await rest()
    texts.push(JSON.stringify(piece))
  }
  return texts
}

function partsIn<P>(texts: readonly string[], { ofValues }: PartCodec<P>): Parts<P> {
  const rows = texts.flatMap((text) => JSON.parse(text) as [string, string, ...unknown[]][])
  return new Map(rows.map(([key, rev, ...values]) => [key, { rev, part: ofValues(key, values) }]))
}
