/**
 * What the CRM answered to this user's reads, in a Dexie database of its own beside RxDB (decision 0054). It is a copy of
 * what can be read again: bounded, gone a day after the CRM last confirmed it, and a failure costs one whole answer. It is
 * written half a second late, many answers in one transaction (decision 0086); what waits is answered from there.
 */
import { Dexie, type DexieOptions } from 'dexie'
import { PLAIN, type Sealer } from './seal/key-ring.ts'
import {
  DAY_MS,
  expireAnswers,
  sealing,
  writeAnswers,
  type Answer,
  type Tables,
  type Waiting,
} from './kept-answers-rows.ts'

const MOST_CHARS = 16 * 1024 * 1024
/** Of one answer: a bigger one is read anew each time. */
const LONGEST = 2 * 1024 * 1024

export interface KeptAnswersTable {
  get(url: string): Promise<Answer | undefined>
  put(url: string, answer: Answer): void
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
  /** `indexedDB` and `IDBKeyRange` where they are not the global ones (tests). */
  settings?: Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'>
}

export const keptAnswersName = (databaseName: string) => databaseName.replace(/^genba-|^/, 'genba-answers-')

/** What is written waits so long for more: each transaction costs as much as what it writes (decision 0086). */
const WRITE_AFTER_MS = 500

export function openKeptAnswers(parts: Parts): KeptAnswersTable {
  const { databaseName, now, mostChars = MOST_CHARS, sealer = PLAIN, settings = {} } = parts
  const db = new Dexie(keptAnswersName(databaseName), { ...settings, chromeTransactionDurability: 'relaxed' })
  db.version(1).stores({ answers: 'url', info: 'url, at' })
  const tables: Tables = { db, rows: db.table('answers'), infos: db.table('info') }
  const { rows, infos } = tables
  const sealed = sealing(databaseName, sealer)
  let writing: Promise<unknown> = Promise.resolve()
  let waiting = new Map<string, Waiting>()
  /** Taken from those that wait, and not written yet. */
  let leaving: ReadonlyMap<string, Waiting> = new Map()
  let timer: ReturnType<typeof setTimeout> | undefined
  let known: Promise<Set<string>> | undefined
  let written = 0

  /** One after the other; a store that cannot be written is one that keeps nothing. */
  const next = (run: () => Promise<unknown>) => (writing = writing.then(run).catch(() => undefined))
  function flush(): Promise<unknown> {
    clearTimeout(timer)
    timer = undefined
    return next(async () => {
      if (waiting.size === 0) return
      leaving = waiting
      waiting = new Map()
      try {
        const changes = await sealed.changesOf(leaving)
        const isMuch = written > mostChars / 16
        if (isMuch) written = 0
        await writeAnswers(tables, changes, isMuch ? mostChars : null)
        for (const { url } of changes.put) (await known)?.add(url)
      } finally {
        leaving = new Map()
      }
    })
  }
  function wait(url: string, answer: Waiting['answer']): void {
    const before = waiting.get(url)
    // what was only confirmed stays as it waits
    waiting.set(url, { answer: answer === undefined ? before?.answer : answer, at: now() })
    timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS)
  }

  return {
    async get(url) {
      const soon = waiting.get(url)?.answer ?? leaving.get(url)?.answer
      if (soon !== undefined) return soon ?? undefined
      try {
        const key = await sealed.keyOf(url)
        known ??= infos
          .toCollection()
          .primaryKeys()
          .then((keys) => new Set(keys))
        if (!(await known).has(key)) return undefined
        const [row, info] = await db.transaction('r', rows, infos, () =>
          Promise.all([rows.get(key), infos.get(key)]),
        )
        return row && info && info.at >= now() - DAY_MS ? await sealed.answerIn(row) : undefined
      } catch {
        return undefined
      }
    },
    put(url, { etag, text, total }) {
      if (text.length > LONGEST) return wait(url, null)
      written += text.length
      wait(url, { etag, text, total })
    },
    confirm: (url) => wait(url, undefined),
    remove: (url) => wait(url, null),
    async expire(at) {
      await flush()
      await next(() => expireAnswers(tables, at, sealed))
    },
    async written() {
      await flush()
    },
    close() {
      clearTimeout(timer)
      db.close()
    },
  }
}
