/**
 * What the CRM answered to this user's reads, in a Dexie database of its own beside RxDB (decision 0054). It is a copy of
 * what can be read again: bounded, gone a day after the CRM last confirmed it, and a failure costs one whole answer.
 */
import { Dexie, type DexieOptions, type Table } from 'dexie'
import { EXPIRY_HOURS } from '#schemas/limits.ts'
import { PLAIN, type Sealer } from './seal/key-ring.ts'
import { isSealed, type Place, type Sealed } from './seal/seal.ts'

const MOST_CHARS = 16 * 1024 * 1024
/** Of one answer: a bigger one is read anew each time. */
const LONGEST = 2 * 1024 * 1024
const DAY_MS = EXPIRY_HOURS * 3_600_000
/** Further ahead than this only a wrong clock has stamped. */
const AHEAD_MS = 3_600_000

const DIGEST = /^[0-9a-f]{64}$/

interface Answer {
  etag: string
  text: string
  total: number | null
}

/** Sealed where the user has a key (decision 0075); then its address is a digest. */
type Row = { url: string } & (Answer | { sealed: Sealed })

/** Beside the texts, so that nothing has to read them to know their age. */
interface Info {
  url: string
  /** Last confirmed, epoch ms. */
  at: number
  size: number
}

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

export function openKeptAnswers(parts: Parts): KeptAnswersTable {
  const { databaseName, now, mostChars = MOST_CHARS, sealer = PLAIN, settings = {} } = parts
  const db = new Dexie(keptAnswersName(databaseName), { ...settings, chromeTransactionDurability: 'relaxed' })
  db.version(1).stores({ answers: 'url', info: 'url, at' })
  const rows: Table<Row, string> = db.table('answers')
  const infos: Table<Info, string> = db.table('info')
  let writing: Promise<unknown> = Promise.resolve()

  const removeAll = (urls: string[]) => Promise.all([rows.bulkDelete(urls), infos.bulkDelete(urls)])
  /** One after the other; a store that cannot be written is one that keeps nothing. */
  const write = (url: string, run: (key: string) => Promise<unknown>) => {
    writing = writing.then(async () => inOne(await keyOf(url), run)).catch(() => undefined)
  }
  const inOne = (key: string, run: (key: string) => Promise<unknown>) =>
    db.transaction('rw', rows, infos, () => run(key))
  const placeOf = (key: string): Place => [databaseName, 'answers', key]
  /** An address says what was read: it is of the same use as a digest, which no row of before has. */
  async function keyOf(url: string): Promise<string> {
    if ((await sealer.keyId()) === null) return url
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${databaseName} ${url}`))
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
  async function answerIn(row: Row): Promise<Answer> {
    if (!('sealed' in row)) return row
    if (!isSealed(row.sealed)) throw new Error('not an answer')
    return (await sealer.openValue(placeOf(row.url), row.sealed)) as Answer
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
    const isOfBefore = (await sealer.keyId()) === null ? () => false : ({ url }: Info) => !DIGEST.test(url)
    const over = all.filter((info) => isOver(info) || isOfBefore(info)).map(({ url }) => url)
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
      try {
        const key = await keyOf(url)
        const [row, info] = await Promise.all([rows.get(key), infos.get(key)])
        return row && info && info.at >= now() - DAY_MS ? await answerIn(row) : undefined
      } catch {
        return undefined
      }
    },
    put(url, { etag, text, total }) {
      if (text.length > LONGEST) return write(url, (key) => removeAll([key]))
      written += text.length
      const isMuch = written > mostChars / 16
      if (isMuch) written = 0
      writing = writing
        .then(async () => {
          const key = await keyOf(url)
          const sealed = await sealer.sealValue(placeOf(key), { etag, text, total })
          await inOne(key, async () => {
            await Promise.all([
              rows.put({ url: key, ...(sealed ? { sealed } : { etag, text, total }) }),
              infos.put({ url: key, at: now(), size: text.length }),
            ])
            if (isMuch) await makeRoom()
          })
        })
        .catch(() => undefined)
    },
    confirm: (url) => write(url, (key) => infos.update(key, { at: now() })),
    remove: (url) => write(url, (key) => removeAll([key])),
    expire(at) {
      writing = writing.then(() => expire(at)).catch(() => undefined)
      return writing.then(() => undefined)
    },
    written: () => writing.then(() => undefined),
    close: () => db.close(),
  }
}
