/** What each of the compared databases is asked for, with the same documents. */
import type { RequestRecord } from '#schemas/resources/request.ts'

export type Doc = RequestRecord

/** What a list shows of a document. */
export interface Row {
  key: string
  locationName: string
}

export interface Filter {
  /** Part of the name of the place. */
  place: string
  flags: readonly string[]
}

export interface OpenedPeer {
  /** The first 50 documents whose `sortKey` is at least this, in its order. */
  first(from: string): Promise<readonly Row[]>
  /** The first 50 that match, in the order of `sortKey`, and how many there are in all. */
  search(filter: Filter): Promise<{ rows: readonly Row[]; count: number }>
  /** Another name for a document's place; done when the library says so, with its own durability. */
  write(key: string, locationName: string): Promise<void>
  /** As `first`, told anew with every write. Resolves once it has told for the first time. */
  watch(from: string, told: (rows: readonly Row[]) => void): Promise<void>
}

export interface Peer {
  /** Puts all documents into an empty database and closes it. */
  fill(docs: readonly Doc[]): Promise<void>
  open(): Promise<OpenedPeer>
}

export const ROWS = 50

export const rowOf = ({ key, locationName }: Row): Row => ({ key, locationName })

export const matches =
  ({ place, flags }: Filter) =>
  ({ locationName, orderFlag }: Pick<Doc, 'locationName' | 'orderFlag'>): boolean =>
    locationName.includes(place) && flags.includes(orderFlag ?? '')

/** What was found, in order, as a search tells it. */
export const told = (found: readonly Row[]) => ({
  rows: found.slice(0, ROWS).map(rowOf),
  count: found.length,
})

/** Documents in the pages in which they are written: one call for all of them is more than some libraries bear. */
export function* pages<T>(docs: readonly T[], size = 500): Generator<readonly T[]> {
  for (let at = 0; at < docs.length; at += size) yield docs.slice(at, at + size)
}
