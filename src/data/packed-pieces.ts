/** All parts, in their order and in pieces, as they are kept between two starts (`kept-parts.ts`): pure, one piece at a time. */
import { nextTask } from '#lib/next-task.ts'
import type { PartCodec, Value } from './kept-parts.ts'
import type { Part, Parts } from './storage/projection.ts'

/**
 * A piece ends with a part whose key says so, one of so many: where one comes or goes, the other pieces stay as they are. Each
 * is opened, and parsed, on its own: what is longer would hold up the screen.
 */
const ENDS_ONE_OF = 1_000
const LONGEST = 2_000

type Packed = number | boolean | null | readonly Packed[]
/** Each text is written once, and a row says which. */
type PackedPiece = [texts: string[], rows: [rev: number, ...values: Packed[]][]]

/** @returns the text of each piece, made when it is its turn */
export function* packedPieces<P>(parts: Parts<P>, codec: PartCodec<P>): Generator<string> {
  for (const piece of piecesOf(parts, codec)) yield packed(piece, codec)
}

/** A group is sorted when it is its turn: all of them at once would hold up the screen. */
function* piecesOf<P>(parts: Parts<P>, codec: PartCodec<P>): Generator<Part<P>[]> {
  const groups = new Map<string, Part<P>[]>()
  for (const each of parts.values()) {
    const name = codec.groupOf(each.part)
    const group = groups.get(name)
    if (group) group.push(each)
    else groups.set(name, [each])
  }
  for (const name of [...groups.keys()].toSorted()) yield* cut(groups.get(name) ?? [], codec)
}

function* cut<P>(group: Part<P>[], { keyOf, sortKeyOf }: PartCodec<P>): Generator<Part<P>[]> {
  let piece: Part<P>[] = []
  for (const each of group.toSorted((a, b) => (sortKeyOf(a.part) < sortKeyOf(b.part) ? -1 : 1))) {
    piece.push(each)
    if (piece.length < LONGEST && !endsPiece(keyOf(each.part))) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}

/** Always the same for a key. */
function endsPiece(key: string): boolean {
  let hash = 0
  for (let at = 0; at < key.length; at += 1) hash = (Math.imul(hash, 31) + key.charCodeAt(at)) >>> 0
  return hash % ENDS_ONE_OF === 0
}

/** Most of its texts stand in many rows. */
function packed<P>(piece: readonly Part<P>[], { toValues }: PartCodec<P>): string {
  const texts = new Map<string, number>()
  const numberOf = (text: string) => {
    const known = texts.get(text)
    if (known !== undefined) return known
    texts.set(text, texts.size)
    return texts.size - 1
  }
  const pack = (value: Value): Packed => {
    if (typeof value === 'string') return numberOf(value)
    return value === null || typeof value === 'boolean' ? value : value.map(pack)
  }
  const rows = piece.map(({ rev, part }): PackedPiece[1][number] => [
    numberOf(rev),
    ...toValues(part).map(pack),
  ])
  const packedPiece: PackedPiece = [[...texts.keys()], rows]
  return JSON.stringify(packedPiece)
}

/** @param texts of the pieces, in their order */
export async function unpacked<P>(texts: readonly string[], codec: PartCodec<P>): Promise<Parts<P>> {
  const parts = new Map<string, Part<P>>()
  for (const text of texts) {
    await nextTask()
    unpackInto(parts, text, codec)
  }
  return parts
}

function unpackInto<P>(parts: Map<string, Part<P>>, text: string, { ofValues, keyOf }: PartCodec<P>): void {
  const [texts, rows] = JSON.parse(text) as PackedPiece
  const textAt = (at: number) => texts[at] ?? ''
  const unpack = (value: Packed): Value => {
    if (typeof value === 'number') return textAt(value)
    return value === null || typeof value === 'boolean' ? value : value.map(unpack)
  }
  for (const [rev, ...values] of rows) {
    const part = ofValues(values.map(unpack))
    parts.set(keyOf(part), { rev: textAt(rev), part })
  }
}
