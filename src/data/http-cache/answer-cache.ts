/**
 * Caches the CRM's responses to a user's reads, in a Dexie database beside RxDB (decisions/pull). A lost entry costs
 * one full response. The size is limited, and entries expire a day after the CRM last confirmed them. Writes wait half
 * a second and share a transaction; reads include waiting writes.
 */
import type { DexieOptions } from 'dexie'
import { EXPIRY_MS } from '#schemas/limits.ts'
import { PLAIN, type Sealer } from '#data/encryption/key-ring.ts'
import { SealError } from '#data/encryption/seal.ts'
import {
  expireAnswers,
  sealing,
  writeAnswers,
  type CachedAnswer,
  type Tables,
  type Waiting,
} from './answer-cache-rows.ts'
import { openDexie } from '#data/storage/open-dexie.ts'

const MOST_CHARS = 16 * 1024 * 1024
/** Maximum length of a cached response, in characters. */
const LONGEST = 2 * 1024 * 1024

interface AnswerCacheParts {
  databaseName: string
  now: () => number
  mostChars?: number
  /** Encrypts entries; without it they are stored in plain text. */
  sealer?: Sealer
  /** Called if an entry on disk was damaged or altered. `get` then finds nothing. */
  refused?: (error: SealError) => void
  /** Replacements of the global `indexedDB` and `IDBKeyRange`, for tests. */
  settings?: Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'>
}

/** `genba-<hash>` → `genba-answers-<hash>`. A name without `genba-` (in tests) gets the whole prefix. */
export const answerCacheName = (databaseName: string) => databaseName.replace(/^genba-|^/, 'genba-answers-')

export function openAnswerCache(parts: AnswerCacheParts) {
  const { databaseName, now, mostChars = MOST_CHARS, sealer = PLAIN, settings = {} } = parts
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
    const changes = await sealed.changesOf(batch)
    const isCheckDue = charsSinceCheck > mostChars / 16
    if (isCheckDue) charsSinceCheck = 0
    await writeAnswers(tables, changes, isCheckDue ? mostChars : null)
    for (const { url } of changes.put) (await storedKeys)?.add(url)
  }, now)

  return {
    async get(url: string): Promise<CachedAnswer | undefined> {
      const waiting = queue.find(url)
      if (waiting !== undefined) return waiting ?? undefined
      try {
        const key = await sealed.keyOf(url)
        storedKeys ??= keysIn(infos)
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
    /** Deletes expired entries. @param time epoch ms */
    expire: (time: number) => queue.afterAll(() => expireAnswers(tables, time)),
    /** Resolves once all earlier writes are on disk. */
    written: queue.flush,
    close() {
      queue.stop()
      close()
    },
  }
}

const keysIn = async (infos: Tables['infos']): Promise<Set<string>> =>
  new Set(await infos.toCollection().primaryKeys())

const WRITE_AFTER_MS = 500

type Batch = ReadonlyMap<string, Waiting>

/**
 * Adds a write to a batch. If the write only updates the time (`answer` undefined), the batch keeps the answer that it
 * already has for the URL.
 */
export const withWaiting = (batch: Batch, url: string, { answer, at }: Waiting): Batch =>
  new Map(batch).set(url, { answer: answer === undefined ? batch.get(url)?.answer : answer, at })

/**
 * Creates a queue that writes later, in batches. The last write for a URL wins.
 * @param write writes a batch; a failure is ignored, because the cache may lose entries
 */
export function createWriteBehind(write: (batch: Batch) => Promise<void>, now: () => number) {
  let writing: Promise<unknown> = Promise.resolve()
  let waiting: Batch = new Map()
  let beingWritten: Batch = new Map()
  let timer: ReturnType<typeof setTimeout> | undefined

  const afterWrites = async (run: () => Promise<void>): Promise<void> => {
    await (writing = writing.then(run).catch(() => undefined))
  }
  const writeAll = async () => {
    if (waiting.size === 0) return
    beingWritten = waiting
    waiting = new Map()
    try {
      await write(beingWritten)
    } finally {
      beingWritten = new Map()
    }
  }
  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }
  const flush = () => {
    stop()
    return afterWrites(writeAll)
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
    async afterAll(run: () => Promise<void>): Promise<void> {
      await flush()
      await afterWrites(run)
    },
    stop,
  }
}
