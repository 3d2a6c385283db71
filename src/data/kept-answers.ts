/**
 * What the CRM answered to this user's reads, in a Dexie database of its own beside RxDB (decision 0054). It is a copy of
 * what can be read again: bounded, gone a day after the CRM last confirmed it, and a failure costs one whole answer.
 */
import { Dexie, type DexieOptions, type Table } from 'dexie'
import { EXPIRY_HOURS } from '#schemas/limits.ts'

const MOST_CHARS = 16 * 1024 * 1024
/** Of one answer: a bigger one is read anew each time. */
const LONGEST = 2 * 1024 * 1024
const DAY_MS = EXPIRY_HOURS * 3_600_000
/** Further ahead than this only a wrong clock has stamped. */
const AHEAD_MS = 3_600_000

interface Row {
  url: string
  etag: string
  text: string
  total: number | null
}

/** Beside the texts, so that nothing has to read them to know their age. */
interface Info {
  url: string
  /** Last confirmed, epoch ms. */
  at: number
  size: number
}

export interface KeptAnswersTable {
  get(url: string): Promise<Omit<Row, 'url'> | undefined>
  put(url: string, answer: Omit<Row, 'url'>): void
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
  /** `indexedDB` and `IDBKeyRange` where they are not the global ones (tests). */
  settings?: Pick<DexieOptions, 'indexedDB' | 'IDBKeyRange'>
}

export const keptAnswersName = (databaseName: string) => databaseName.replace(/^genba-|^/, 'genba-answers-')

export function openKeptAnswers(parts: Parts): KeptAnswersTable {
  const { databaseName, now, mostChars = MOST_CHARS, settings = {} } = parts
  const db = new Dexie(keptAnswersName(databaseName), { ...settings, chromeTransactionDurability: 'relaxed' })
  db.version(1).stores({ answers: 'url', info: 'url, at' })
  const rows: Table<Row, string> = db.table('answers')
  const infos: Table<Info, string> = db.table('info')
  let writing: Promise<unknown> = Promise.resolve()

  const removeAll = (urls: string[]) => Promise.all([rows.bulkDelete(urls), infos.bulkDelete(urls)])
  /** One after the other; a store that cannot be written is one that keeps nothing. */
  const write = (run: () => Promise<unknown>) => {
    writing = writing.then(() => db.transaction('rw', rows, infos, run)).catch(() => undefined)
  }

  /** Within a transaction: what was confirmed longest ago goes first. */
  async function makeRoom() {
    const all = await infos.orderBy('at').toArray()
    let size = all.reduce((sum, info) => sum + info.size, 0)
    const gone: string[] = []
    for (const info of all) {
      if (size <= mostChars) break
      size -= info.size
      gone.push(info.url)
    }
    if (gone.length > 0) await removeAll(gone)
  }

  async function expire(at: number) {
    const isOver = (info: Info) => info.at < at - DAY_MS || info.at > at + AHEAD_MS
    const all = await infos.toArray()
    const over = all.filter(isOver).map(({ url }) => url)
    if (over.length === 0) return
    if (over.length < all.length) await db.transaction('rw', rows, infos, () => removeAll(over))
    else {
      // rows that are deleted one by one stay readable in the files for a while
      await db.delete({ disableAutoOpen: false })
      await db.open()
    }
  }

  let written = 0
  return {
    async get(url) {
      const [row, info] = await Promise.all([rows.get(url), infos.get(url)]).catch(() => [])
      return row && info && info.at >= now() - DAY_MS ? row : undefined
    },
    put(url, { etag, text, total }) {
      if (text.length > LONGEST) return write(() => removeAll([url]))
      written += text.length
      const isMuch = written > mostChars / 16
      if (isMuch) written = 0
      write(async () => {
        await Promise.all([
          rows.put({ url, etag, text, total }),
          infos.put({ url, at: now(), size: text.length }),
        ])
        if (isMuch) await makeRoom()
      })
    },
    confirm: (url) => write(() => infos.update(url, { at: now() })),
    remove: (url) => write(() => removeAll([url])),
    expire(at) {
      writing = writing.then(() => expire(at)).catch(() => undefined)
      return writing.then(() => undefined)
    },
    written: () => writing.then(() => undefined),
    close: () => db.close(),
  }
}
