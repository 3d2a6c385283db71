/**
 * What the CRM answered to this user's reads, in a Dexie database of its own beside RxDB (decisions/pull). It is a copy
 * of what can be read again: bounded, gone a day after the CRM last confirmed it, and a failure costs one whole answer.
 * It is written half a second late, many answers in one transaction (decisions/pull); what waits is answered from
 * there.
 */
import { Dexie, type DexieOptions } from 'dexie'
import { EXPIRY_MS } from '#schemas/limits.ts'
import { PLAIN, type Sealer } from '#data/encryption/key-ring.ts'
import { createWriteBehind } from './answer-cache-queue.ts'
import { SealError } from '#data/encryption/seal.ts'
import { expireAnswers, sealing, writeAnswers, type CachedAnswer, type Tables } from './answer-cache-rows.ts'
import { opensAgain } from '#data/storage/opens-again.ts'

const MOST_CHARS = 16 * 1024 * 1024
/** Of one answer: a bigger one is read anew each time. */
const LONGEST = 2 * 1024 * 1024

interface KeptAnswersTable {
  get(url: string): Promise<CachedAnswer | undefined>
  put(url: string, answer: CachedAnswer): void
  confirm(url: string): void
  remove(url: string): void
  expire(now: number): Promise<void>
  /** Resolves once everything that was put is there. */
  written(): Promise<void>
  close(): void
}

interface Parts {
  /** Of the user's database: `genba-<hash>`. */
  databaseName: string
  now: () => number
  mostChars?: number
  /** How they lie on the disk; as they are without it. */
  sealer?: Sealer
  /** Told of what is not as it was sealed: it is read anew. */
  refused?: (error: SealError) => void
  /** `indexedDB` and `IDBKeyRange` where they are not the global ones (tests). */
  settings?: Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'>
}

export const answerCacheName = (databaseName: string) => databaseName.replace(/^genba-|^/, 'genba-answers-')

export function openAnswerCache(parts: Parts): KeptAnswersTable {
  const { databaseName, now, mostChars = MOST_CHARS, sealer = PLAIN, settings = {} } = parts
  const db = new Dexie(answerCacheName(databaseName), { ...settings, chromeTransactionDurability: 'relaxed' })
  let isClosed = false
  opensAgain(db, () => isClosed)
  db.version(1).stores({ answers: 'url', info: 'url, at' })
  const tables: Tables = { db, rows: db.table('answers'), infos: db.table('info') }
  const { rows, infos } = tables
  const sealed = sealing(databaseName, sealer)
  let known: Promise<Set<string>> | undefined
  let written = 0

  const queue = createWriteBehind(async (batch) => {
    const changes = await sealed.changesOf(batch)
    const isMuch = written > mostChars / 16
    if (isMuch) written = 0
    await writeAnswers(tables, changes, isMuch ? mostChars : null)
    for (const { url } of changes.put) (await known)?.add(url)
  }, now)

  return {
    async get(url) {
      const soon = queue.find(url)
      if (soon !== undefined) return soon ?? undefined
      try {
        const key = await sealed.keyOf(url)
        known ??= keysIn(infos)
        if (!(await known).has(key)) return undefined
        const [row, info] = await db.transaction('r', rows, infos, () =>
          Promise.all([rows.get(key), infos.get(key)]),
        )
        return row && info && info.at >= now() - EXPIRY_MS ? await sealed.answerIn(row) : undefined
      } catch (error) {
        if (error instanceof SealError && error.kind !== 'no-key') parts.refused?.(error)
        // what failed once is asked for again
        known = undefined
        return undefined
      }
    },
    put(url, { etag, text, total }) {
      if (text.length > LONGEST) return queue.add(url, null)
      written += text.length
      queue.add(url, { etag, text, total })
    },
    confirm: (url) => queue.add(url, undefined),
    remove: (url) => queue.add(url, null),
    expire: (at) => queue.afterAll(() => expireAnswers(tables, at, sealed)),
    written: queue.flush,
    close() {
      isClosed = true
      queue.stop()
      db.close()
    },
  }
}

const keysIn = async (infos: Tables['infos']): Promise<Set<string>> =>
  new Set(await infos.toCollection().primaryKeys())
