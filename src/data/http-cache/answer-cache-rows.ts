/** The rows of the HTTP cache (`answer-cache.ts`), and the transactions that write them. */
import type { Dexie, Table } from 'dexie'
import { EXPIRY_MS } from '#schemas/limits.ts'
import { evicted } from '#data/database/eviction.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'
import type { Sealed, SealedPlace } from '#data/encryption/seal.ts'

/** An entry whose time lies further in the future was stamped by a wrong clock and is deleted. */
const AHEAD_MS = 3_600_000

/** A response body with its ETag and its `x-total-count`. */
export interface CachedAnswer {
  etag: string
  text: string
  total: number | null
}

/** A write that waits for its transaction. */
export interface Waiting {
  /** Null deletes the entry; undefined only updates its time. */
  answer: CachedAnswer | null | undefined
  /** Time at which the CRM confirmed the answer, epoch ms. */
  at: number
}

/** A row on disk. If the user has a key, the answer is encrypted and `url` is a hash (decisions/encryption). */
type Row = { url: string } & (CachedAnswer | { sealed: Sealed })

/** Metadata, in a separate table so that ages can be read without the texts. */
interface Info {
  url: string
  /** Time at which the CRM last confirmed the answer, epoch ms. */
  at: number
  /** Length of the text in characters. */
  size: number
}

export interface Tables {
  db: Dexie
  rows: Table<Row, string>
  infos: Table<Info, string>
}

/** Writes of one transaction. URLs are hashed if the user has a key. */
interface Changes {
  put: readonly Row[]
  infos: readonly Info[]
  confirmed: readonly Pick<Info, 'url' | 'at'>[]
  removed: string[]
}

export function sealing(databaseName: string, sealer: Sealer) {
  const placeOf = (key: string): SealedPlace => [databaseName, 'answers', key]
  /**
   * Returns the key of a row: a hash, because a URL would reveal what was read; the URL itself if the user has no key.
   */
  async function keyOf(url: string): Promise<string> {
    if ((await sealer.keyId()) === null) return url
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${databaseName} ${url}`))
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
  async function rowOf(url: string, answer: CachedAnswer): Promise<Row> {
    const sealed = await sealer.sealValue(placeOf(url), answer)
    return { url, ...(sealed ? { sealed } : answer) }
  }
  return {
    keyOf,
    answerIn: (row: Row): Promise<CachedAnswer> =>
      sealer.openStored(placeOf(row.url), 'sealed' in row ? row.sealed : row),
    async changesOf(waiting: ReadonlyMap<string, Waiting>): Promise<Changes> {
      const encoding = [...waiting].map(async ([address, { answer, at }]) => {
        const url = await keyOf(address)
        return { url, at, answer, row: answer && (await rowOf(url, answer)) }
      })
      const all = await Promise.all(encoding)
      return {
        put: all.flatMap(({ row }) => row ?? []),
        infos: all.flatMap(({ url, at, answer }) => (answer ? { url, at, size: answer.text.length } : [])),
        confirmed: all.flatMap(({ url, at, answer }) => (answer === undefined ? { url, at } : [])),
        removed: all.flatMap(({ url, answer }) => (answer === null ? url : [])),
      }
    },
  }
}

/**
 * Applies writes in one transaction.
 * @param mostChars maximum size of all entries in characters; null for no check
 */
export const writeAnswers = (tables: Tables, changes: Changes, mostChars: number | null): Promise<unknown> =>
  tables.db.transaction('rw', tables.rows, tables.infos, async () => {
    const { rows, infos } = tables
    const confirming = changes.confirmed.map(({ url, at }) => infos.update(url, { at }))
    const putting = [rows.bulkPut(changes.put), infos.bulkPut(changes.infos)]
    await Promise.all([...confirming, ...putting, removeAll(tables, changes.removed)])
    if (mostChars !== null) await makeRoom(tables, mostChars)
  })

const removeAll = ({ rows, infos }: Tables, urls: string[]) =>
  Promise.all([rows.bulkDelete(urls), infos.bulkDelete(urls)])

/** Deletes entries above the limit, those confirmed longest ago first. Must be called inside a transaction. */
async function makeRoom(tables: Tables, mostChars: number) {
  const removed = evicted(await tables.infos.orderBy('at').toArray(), mostChars)
  if (removed.length > 0)
    await removeAll(
      tables,
      removed.map(({ url }) => url),
    )
}

export async function expireAnswers(tables: Tables, now: number): Promise<void> {
  const { db, rows, infos } = tables
  const all = await infos.toArray()
  const expired = all.filter(({ at }) => at < now - EXPIRY_MS || at > now + AHEAD_MS).map(({ url }) => url)
  if (expired.length === 0) return
  if (expired.length < all.length) await db.transaction('rw', rows, infos, () => removeAll(tables, expired))
  else {
    // The whole database is deleted, because single deleted rows stay readable in the browser's files for a while.
    await db.delete({ disableAutoOpen: false })
    await db.open()
  }
}
