/** The rows of the answers that are kept (`answer-cache.ts`): how they lie on the disk, and the transactions that write them. */
import type { Dexie, Table } from 'dexie'
import { EXPIRY_MS } from '#schemas/limits.ts'
import { evicted } from '#data/database/eviction.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'
import { isSealed, SealError, type SealedPlace, type Sealed } from '#data/encryption/seal.ts'

/** Further ahead than this only a wrong clock has stamped. */
const AHEAD_MS = 3_600_000

const DIGEST = /^[0-9a-f]{64}$/

export interface CachedAnswer {
  etag: string
  text: string
  total: number | null
}

/** What waits to be written of one address. */
export interface Waiting {
  /** Null where it is to go, undefined where it was only confirmed. */
  answer: CachedAnswer | null | undefined
  /** When that was, epoch ms. */
  at: number
}

/** Sealed where the user has a key (decisions/encryption); then its address is a digest. */
type Row = { url: string } & (CachedAnswer | { sealed: Sealed })

/** Beside the texts, so that nothing has to read them to know their age. */
interface Info {
  url: string
  /** Last confirmed, epoch ms. */
  at: number
  size: number
}

export interface Tables {
  db: Dexie
  rows: Table<Row, string>
  infos: Table<Info, string>
}

/** What one transaction does, each address as it lies on the disk. */
interface Changes {
  put: readonly Row[]
  infos: readonly Info[]
  confirmed: readonly Pick<Info, 'url' | 'at'>[]
  gone: string[]
}

export type Sealing = ReturnType<typeof sealing>

export function sealing(databaseName: string, sealer: Sealer) {
  const placeOf = (key: string): SealedPlace => [databaseName, 'answers', key]
  const hasKey = async () => (await sealer.keyId()) !== null

  /** An address says what was read: it is of the same use as a digest, which no row of before has. */
  async function keyOf(url: string): Promise<string> {
    if (!(await hasKey())) return url
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${databaseName} ${url}`))
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
  async function rowOf(url: string, answer: CachedAnswer): Promise<Row> {
    const sealed = await sealer.sealValue(placeOf(url), answer)
    return { url, ...(sealed ? { sealed } : answer) }
  }
  return {
    keyOf,
    hasKey,
    async answerIn(row: Row): Promise<CachedAnswer> {
      if (!('sealed' in row) && !(await hasKey())) return row
      if (!('sealed' in row) || !isSealed(row.sealed)) throw new SealError('clear', 'answers')
      return (await sealer.openValue(placeOf(row.url), row.sealed)) as CachedAnswer
    },
    async changesOf(waiting: ReadonlyMap<string, Waiting>): Promise<Changes> {
      const ofEach = [...waiting].map(async ([address, { answer, at }]) => {
        const url = await keyOf(address)
        return { url, at, answer, row: answer && (await rowOf(url, answer)) }
      })
      const all = await Promise.all(ofEach)
      return {
        put: all.flatMap(({ row }) => row ?? []),
        infos: all.flatMap(({ url, at, answer }) => (answer ? { url, at, size: answer.text.length } : [])),
        confirmed: all.flatMap(({ url, at, answer }) => (answer === undefined ? { url, at } : [])),
        gone: all.flatMap(({ url, answer }) => (answer === null ? url : [])),
      }
    },
  }
}

/** @param mostChars what they may weigh together, where that is to be looked at */
export const writeAnswers = (tables: Tables, changes: Changes, mostChars: number | null): Promise<unknown> =>
  tables.db.transaction('rw', tables.rows, tables.infos, async () => {
    const { rows, infos } = tables
    const confirming = changes.confirmed.map(({ url, at }) => infos.update(url, { at }))
    const putting = [rows.bulkPut(changes.put), infos.bulkPut(changes.infos)]
    await Promise.all([...confirming, ...putting, removeAll(tables, changes.gone)])
    if (mostChars !== null) await makeRoom(tables, mostChars)
  })

const removeAll = ({ rows, infos }: Tables, urls: string[]) =>
  Promise.all([rows.bulkDelete(urls), infos.bulkDelete(urls)])

/** Within a transaction: what was confirmed longest ago goes first. */
async function makeRoom(tables: Tables, mostChars: number) {
  const gone = evicted(await tables.infos.orderBy('at').toArray(), mostChars)
  if (gone.length > 0)
    await removeAll(
      tables,
      gone.map(({ url }) => url),
    )
}

export async function expireAnswers(tables: Tables, at: number, { hasKey }: Sealing): Promise<void> {
  const { db, rows, infos } = tables
  const isOver = (info: Info) => info.at < at - EXPIRY_MS || info.at > at + AHEAD_MS
  const all = await infos.toArray()
  const isOfBefore = (await hasKey()) ? ({ url }: Info) => !DIGEST.test(url) : () => false
  const over = all.filter((info) => isOver(info) || isOfBefore(info)).map(({ url }) => url)
  if (over.length === 0) return
  if (over.length < all.length) await db.transaction('rw', rows, infos, () => removeAll(tables, over))
  else {
    // rows that are deleted one by one stay readable in the files for a while
    await db.delete({ disableAutoOpen: false })
    await db.open()
  }
}
