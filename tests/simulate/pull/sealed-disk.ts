/**
 * What lies sealed on a phone for one user: rows as the shipped codec has written them. The witness opens them past
 * everything, with keys that it has seen when they were made; the app's own parts see them as an IndexedDB (`model-idb.ts`).
 */
import type { Subject } from 'rxjs'
import type { SealedPlace, Sealed } from '#data/encryption/seal.ts'
import type { Row } from '#data/storage/docs-table.ts'
import { openedAtOnce } from './model-crypto.ts'
import { kindOf } from './on-disk.ts'
import type { StoredDoc } from './stored-doc.ts'

export interface SealedStore {
  collection: string
  version: number
  primary: string
  rows: Map<string, Row>
  /** What pages tell each other, once one has opened it. */
  changes$: Subject<unknown> | null
}

/** Every key that ever was on the phone, by its id. */
export type KnownKeys = Map<string, Buffer>

const IV_BYTES = 12
/** Texts of people, of the office and of the CRM: no clear field has any. */
const TEXT = /[^ -~]/

export class SealedDisk {
  readonly stores = new Map<string, SealedStore>()
  private readonly docs = new WeakMap<Row, StoredDoc>()
  private readonly ivs = new Set<string>()
  private readonly keys: KnownKeys
  private readonly user: string

  private readonly broken: (text: string) => void

  /** @param user name of the database @param broken told of what was not sealed with a key of its own, in its place */
  constructor(user: string, keys: KnownKeys, broken: (text: string) => void) {
    this.user = user
    this.keys = keys
    this.broken = broken
  }

  store(collection: string, version: number, primary: string): SealedStore {
    const name = `rxdb-dexie-${this.user}--${version}--${collection}`
    const known = this.stores.get(name)
    if (known) return known
    const store = { collection, version, primary, rows: new Map<string, Row>(), changes$: null }
    this.stores.set(name, store)
    return store
  }

  /** As `on-disk.ts` looks at RxDB's own storage in memory. */
  asMemory(): Map<string, unknown> {
    const open = (store: SealedStore) =>
      new Map([...store.rows].map(([key, row]) => [key, this.opened(store, row)]))
    const lazily = (store: SealedStore) => ({
      get documents() {
        return open(store)
      },
    })
    return new Map([...this.stores].map(([name, store]) => [`${name}--`, lazily(store)]))
  }

  opened(store: SealedStore, row: Row): StoredDoc {
    const known = this.docs.get(row)
    if (known) return known
    const { sealed, ...rest } = row as Row & { sealed?: Sealed }
    const hidden = sealed ? this.openedValue(store, rest, sealed) : {}
    const doc = { ...rest, ...hidden, _deleted: row._deleted === '1' } as unknown as StoredDoc
    this.docs.set(row, doc)
    return doc
  }

  /** What lies in clear is bound to what is sealed (decisions/encryption). */
  private openedValue({ collection, version }: SealedStore, clear: object, sealed: Sealed): object {
    const whole = this.openedBytes([this.user, collection, JSON.stringify([version, clear])], sealed)
    return whole ? (JSON.parse(whole.toString()) as object) : {}
  }

  /** Null where no key that was ever made opens it, which breaks a law. */
  openedBytes(place: SealedPlace, { key: id, bytes }: Sealed): Buffer | null {
    const raw = this.keys.get(id) ?? Buffer.alloc(32)
    const all = Buffer.from(bytes)
    const bound = Buffer.from(JSON.stringify(place))
    try {
      return openedAtOnce(raw, all.subarray(0, IV_BYTES), bound, all.subarray(IV_BYTES))
    } catch {
      this.broken(`a row of ${place[1]} is of no known key, or not bound to its place`)
      return null
    }
  }

  kindOf = (store: SealedStore, doc: StoredDoc) => kindOf(store.collection, doc)

  /** @returns what is wrong with how it was written; null where nothing is */
  wrongWith({ collection }: SealedStore, row: Row): string | null {
    if (collection.startsWith('_rxdb')) return null
    const { sealed, ...clear } = row as Row & { sealed?: Sealed }
    if (!sealed) return `a row of ${collection} is not sealed`
    if (TEXT.test(JSON.stringify(clear))) return `text of ${collection} lies in clear`
    const iv = `${sealed.key} ${Buffer.from(sealed.bytes).subarray(0, IV_BYTES).toString('hex')}`
    if (this.ivs.has(iv)) return `an IV of ${collection} was used before`
    this.ivs.add(iv)
    return null
  }

  /** Collections in which something can be read without a key. */
  readable(): string[] {
    return [...this.stores.values()].flatMap(({ collection, rows }) =>
      collection.startsWith('_rxdb') || [...rows.values()].every((row) => 'sealed' in row)
        ? []
        : [collection],
    )
  }
}
