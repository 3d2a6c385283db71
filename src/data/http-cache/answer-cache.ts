/**
 * Caches the CRM's responses to a user's reads, in a Dexie database beside RxDB (decisions/pull). A lost entry costs
 * one full response. Entries expire a day after the CRM last confirmed them. Writes wait half a second and share a
 * transaction; reads include waiting writes.
 */
import type { DexieOptions, Dexie, Table } from 'dexie'
import { EXPIRY_MS } from '#schemas/limits.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'
import { SealError, type Sealed, type SealedPlace } from '#data/encryption/seal.ts'
import { openDexie } from '#data/storage/open-dexie.ts'
import { evicted } from '#data/database/eviction.ts'

const MOST_CHARS = 16 * 1024 * 1024
const LONGEST = 2 * 1024 * 1024

interface AnswerCacheParts {
  databaseName: string
  now: () => number
  mostChars?: number
  sealer: Sealer
  /** Called if an entry on disk was damaged or altered. `get` then finds nothing. */
  refused?: (error: SealError) => void
  /** Replacements of the global `indexedDB` and `IDBKeyRange`, for tests. */
  settings?: Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'>
}

/** `genba-<hash>-<key>` → `genba-answers-<hash>-<key>`. A name without `genba-` (in tests) gets the whole prefix. */
export const answerCacheName = (databaseName: string) => databaseName.replace(/^genba-|^/, 'genba-answers-')

export function openAnswerCache(parts: AnswerCacheParts) {
  const { databaseName, now, mostChars = MOST_CHARS, sealer, settings = {} } = parts
  const options = { ...settings, chromeTransactionDurability: 'relaxed' } as const
  const stores = { answers: 'url', info: 'url, at' }
  const { db, close } = openDexie(answerCacheName(databaseName), options, stores)
  const tables: Tables = { db, rows: db.table('answers'), infos: db.table('info') }
  const { rows, infos } = tables
  const sealed = sealing(databaseName, sealer)
  // Keys of the stored entries, so that a URL without an entry costs no transaction; undefined until they are read.
  let storedKeys: Promise<Set<string>> | undefined
  let charsSinceCheck = 0

  const queue = createWriteBehind(async (batch) => {
    const writes = await sealed.writesOf(batch)
    const isCheckDue = charsSinceCheck > mostChars / 16
    if (isCheckDue) charsSinceCheck = 0
    await writeAnswers(tables, writes, isCheckDue ? mostChars : null)
    for (const { url, row } of writes) if (row) (await storedKeys)?.add(url)
  }, now)

  return {
    async get(url: string): Promise<CachedAnswer | undefined> {
      const waiting = queue.find(url)
      if (waiting !== undefined) return waiting ?? undefined
      try {
        const key = await sealed.keyOf(url)
        storedKeys ??= infos
          .toCollection()
          .primaryKeys()
          .then((keys) => new Set(keys))
        if (!(await storedKeys).has(key)) return undefined
        const [row, info] = await db.transaction('r', rows, infos, () =>
          Promise.all([rows.get(key), infos.get(key)]),
        )
        return row && info && info.at >= now() - EXPIRY_MS ? await sealed.answerIn(row) : undefined
      } catch (error) {
        if (error instanceof SealError && error.kind !== 'no-key') parts.refused?.(error)
        storedKeys = undefined
        return undefined
      }
    },
    put(url: string, { etag, text, total }: CachedAnswer): void {
      if (text.length > LONGEST) return queue.add(url, null)
      charsSinceCheck += text.length
      queue.add(url, { etag, text, total })
    },
    confirm: (url: string) => queue.add(url, undefined),
    remove: (url: string) => queue.add(url, null),
    expire: async (time: number): Promise<void> => {
      await queue.flush()
      await expireAnswers(tables, time).catch(() => undefined)
    },
    written: queue.flush,
    close,
  }
}

const WRITE_AFTER_MS = 500
type Batch = ReadonlyMap<string, Waiting>

/** Adds a write to a batch. A write that only updates the time (`answer` undefined) keeps the batch's answer. */
export const withWaiting = (batch: Batch, url: string, { answer, at }: Waiting): Batch =>
  new Map(batch).set(url, { answer: answer === undefined ? batch.get(url)?.answer : answer, at })

/** Creates a queue that writes later, in batches; the last write for a URL wins. A failed write is ignored. */
export function createWriteBehind(write: (batch: Batch) => Promise<void>, now: () => number) {
  let writing: Promise<unknown> = Promise.resolve()
  let waiting: Batch = new Map()
  let beingWritten: Batch = new Map()
  let timer: ReturnType<typeof setTimeout> | undefined

  const writeAll = async () => {
    if (waiting.size === 0) return
    beingWritten = waiting
    waiting = new Map()
    await write(beingWritten).finally(() => (beingWritten = new Map()))
  }
  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    await (writing = writing.then(writeAll).catch(() => undefined))
  }
  return {
    /** Returns the waiting answer of a URL: null if it is to be deleted, undefined if no write waits. */
    find(url: string): Waiting['answer'] {
      const last = waiting.get(url)?.answer
      return last === undefined ? beingWritten.get(url)?.answer : last
    },
    /** @param answer null deletes the entry; undefined only updates its time */
    add(url: string, answer: Waiting['answer']): void {
      waiting = withWaiting(waiting, url, { answer, at: now() })
      timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS)
    },
    flush,
  }
}

/** An entry whose time lies further in the future was stamped by a wrong clock and is deleted. */
const AHEAD_MS = 3_600_000

/** A response body with its ETag and its `x-total-count`. */
type CachedAnswer = { etag: string; text: string; total: number | null }

interface Waiting {
  /** Null deletes the entry; undefined only updates its time. */
  answer: CachedAnswer | null | undefined
  at: number
}

/** A row on disk. The answer is encrypted, and `url` is a hash (decisions/encryption). */
type Row = { url: string; sealed: Sealed }

/** Metadata, in a separate table so that ages can be read without the texts. */
interface Info {
  url: string
  /** Time at which the CRM last confirmed the answer, epoch ms. */
  at: number
  size: number
}

type Tables = { db: Dexie; rows: Table<Row, string>; infos: Table<Info, string> }

/** A write with the row's key, a hash. `row` is the encrypted answer. */
type Write = Waiting & { url: string; row: Row | null | undefined }

function sealing(databaseName: string, sealer: Sealer) {
  const placeOf = (key: string): SealedPlace => [databaseName, 'answers', key]
  /** Returns the key of a row: a hash, because a URL would reveal what was read. */
  async function keyOf(url: string): Promise<string> {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${databaseName} ${url}`))
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
  return {
    keyOf,
    answerIn: async ({ url, sealed }: Row) => (await sealer.openValue(placeOf(url), sealed)) as CachedAnswer,
    writesOf: (batch: Batch): Promise<Write[]> =>
      Promise.all(
        [...batch].map(async ([address, { answer, at }]) => {
          const url = await keyOf(address)
          return {
            url,
            at,
            answer,
            row: answer && { url, sealed: await sealer.sealValue(placeOf(url), answer) },
          }
        }),
      ),
  }
}

/** Applies writes in one transaction. @param mostChars maximum size of all entries; null for no check */
const writeAnswers = (tables: Tables, writes: readonly Write[], mostChars: number | null): Promise<void> =>
  tables.db.transaction('rw', tables.rows, tables.infos, async () => {
    const { rows, infos } = tables
    const removed = writes.flatMap(({ url, answer }) => (answer === null ? url : []))
    await Promise.all([
      ...writes.map(({ url, at, answer }) => answer === undefined && infos.update(url, { at })),
      rows.bulkPut(writes.flatMap(({ row }) => row ?? [])),
      infos.bulkPut(
        writes.flatMap(({ url, at, answer }) => (answer ? { url, at, size: answer.text.length } : [])),
      ),
      removeAll(tables, removed),
    ])
    if (mostChars !== null) await makeRoom(tables, mostChars)
  })

const removeAll = ({ rows, infos }: Tables, urls: string[]) =>
  Promise.all([rows.bulkDelete(urls), infos.bulkDelete(urls)])

/** Deletes entries above the limit, those confirmed longest ago first. Must be called inside a transaction. */
async function makeRoom(tables: Tables, mostChars: number) {
  const removed = evicted(await tables.infos.orderBy('at').toArray(), mostChars).map(({ url }) => url)
  if (removed.length > 0) await removeAll(tables, removed)
}

async function expireAnswers(tables: Tables, now: number): Promise<void> {
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
