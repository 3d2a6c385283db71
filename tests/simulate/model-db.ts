/**
 * What the engine uses of RxDB, in memory: every read and every write of one document is a step that takes time, is
 * atomic, and is on disk when it resolves. The real store of changes and the real ledger run on it. A removed document stays
 * as a tombstone, and a modify that comes too late modifies the tombstone, as in RxDB. What another tab writes is read a
 * while later, as RxDB reads what it has in memory; what writes goes by what is on disk.
 */
import type { PendingRecord } from '#schemas/change-queue.ts'
import type { Change, PushableRecord, SendFacts, StoredRecord } from '#schemas/change.ts'
import { rxSchemas, type Records } from '#schemas/collections.ts'
import { pushCollections, type PushCollection } from '#schemas/push-collections.ts'
import type { FormDraft } from '#schemas/form-draft.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import type { PhotoRecord } from '#schemas/photo.ts'
import type { QuickReportRecord } from '#schemas/quick-report.ts'
import { fillWithDefaultSettings } from 'rxdb/plugins/core'
import { recordView, recordViews } from '#schemas/record-view.ts'
import type { SyncDatabase } from '#sync/storage/database.ts'
import type { Database } from '#data/database.ts'
import { writeTogether } from '#data/storage/write-together.ts'
import { BytesOnDisk } from './bytes-on-disk.ts'

interface Tables extends Pick<Records, PushCollection> {
  changes: Change
  ledger: LedgerEntry
  photos: PhotoRecord
  drafts: FormDraft
}
export type TableName = keyof Tables
type Row<N extends TableName> = Tables[N] & { _deleted?: boolean }

const VERSIONS_KEPT = 20

type Pushed = { readonly [C in PushCollection]: Map<string, Row<C>> }
/** What travels, by its declaration. */
class PushedTables {
  constructor() {
    Object.assign(this, Object.fromEntries(pushCollections.map((collection) => [collection, new Map()])))
  }
}

/** One user's database on one device's disk: what is here survives every crash. */
export class Disk extends (PushedTables as new () => Pushed) {
  readonly changes = new Map<string, Row<'changes'>>()
  readonly ledger = new Map<string, Row<'ledger'>>()
  readonly photos = new Map<string, Row<'photos'>>()
  readonly drafts = new Map<string, Row<'drafts'>>()
  readonly bytes = new BytesOnDisk()
  /** Keys of records that were read again after they were sent: of what only the CRM knows the device knows it. */
  readonly readAgain = new Set<string>()
  readonly watchers: DiskWatcher[] = []
  /** Of each row the versions that somebody may still read, the newest last. */
  private readonly versions = new Map<string, Version[]>()

  readonly name: string
  readonly userId: string

  constructor(name: string, userId: string) {
    super()
    this.name = name
    this.userId = userId
  }

  private keepVersion(name: string, version: Version, before: object | undefined): void {
    const known = this.versions.get(name) ?? [{ row: before, author: null, at: -Infinity }]
    this.versions.set(name, [...known.slice(-VERSIONS_KEPT), version])
  }

  /** A row as this tab reads it. */
  seen<N extends TableName>(table: N, key: string, reader: Reader): Row<N> | undefined {
    const versions = this.versions.get(`${table} ${key}`)
    if (!versions) return (this[table] as unknown as Map<string, Row<N>>).get(key)
    const until = reader.knowsUntil()
    const version = versions.findLast(({ author, at }) => author === reader || at <= until)
    return (version ?? versions[0])?.row as Row<N> | undefined
  }

  /** @param reader as this tab knows it; as it is, without one */
  records = (reader?: Reader) => this.of('quickReports', reader) as QuickReportRecord[]
  /** Of all resources that travel. */
  pushed = (reader?: Reader): PendingRecord[] =>
    pushCollections.flatMap((resource) => this.of(resource, reader).map((row) => ({ resource, ...row })))
  of = (resource: PushCollection, reader?: Reader): PushableRecord[] => [
    ...recordViews(this.rows(resource, reader) as StoredRecord[], this.changesIn(resource, reader)).values(),
  ]
  /** One record, with what was saved here. */
  view = (resource: PushCollection, key: string): PushableRecord | null => {
    const row = this[resource].get(key) as (StoredRecord & { _deleted?: boolean }) | undefined
    const changes = this.changesIn(resource).filter(({ recordKey }) => recordKey === key)
    return recordView(row?._deleted ? null : row, changes)
  }
  private changesIn = (resource: PushCollection, reader?: Reader): Change[] =>
    this.rows('changes', reader).filter((change) => change.resource === resource)
  /** How far each change, of a record or a photo, is on its way. */
  entries = (reader?: Reader): Map<string, SendFacts> =>
    new Map([...this.rows('ledger', reader), ...this.rows('changes', reader)].map((row) => [row.id, row]))
  photoRows = (reader?: Reader): PhotoRecord[] => this.rows('photos', reader)

  /** Everything that travels goes, sent or not. */
  removeAll(): void {
    for (const table of pushCollections)
      for (const row of this.rows(table, undefined)) this.write(table, row.key, { ...row, _deleted: true })
    for (const row of this.rows('changes', undefined))
      this.write('changes', row.id, { ...row, _deleted: true })
  }

  private rows<N extends TableName>(table: N, reader: Reader | undefined): Row<N>[] {
    const rows = this[table] as unknown as Map<string, Row<N>>
    const known = reader ? [...rows.keys()].map((key) => this.seen(table, key, reader)) : [...rows.values()]
    return known.filter((row) => row !== undefined).filter((row) => !row._deleted)
  }

  /** @param author who knows of it at once; without one, everybody does */
  write<N extends TableName>(table: N, key: string, row: Row<N>, author?: Reader): void {
    const rows = this[table] as unknown as Map<string, Row<N>>
    const before = rows.get(key)
    rows.set(key, row)
    if (author) this.keepVersion(`${table} ${key}`, { row, author, at: author.now() }, before)
    else this.versions.delete(`${table} ${key}`)
    const told = { before: before?._deleted ? undefined : before, after: row._deleted ? undefined : row }
    for (const watch of this.watchers) watch({ table, key, author, ...told } as DiskWrite)
  }
}

interface Version {
  row: object | undefined
  author: Reader | null
  at: number
}

/** One tab's view of the disk. */
export interface Reader {
  now(): number
  /** What others wrote until then is known to it. */
  knowsUntil(): number
}

export type DiskWrite = {
  [N in TableName]: {
    table: N
    key: string
    author: Reader | undefined
    before: Tables[N] | undefined
    after: Tables[N] | undefined
  }
}[TableName]
export type DiskWatcher = (write: DiskWrite) => void

/** Runs one storage step of a process: it may take a while, fail, or be the last thing the process does. */
/** @param size bytes that are put, where somebody counts them */
export type StorageStep = <T>(kind: 'read' | 'write', effect: () => T, size?: number) => Promise<T>

type Selector = Record<string, unknown>

const fits = (row: object, selector: Selector = {}): boolean =>
  Object.entries(selector).every(([field, want]) => {
    const value: unknown = Reflect.get(row, field) ?? (field === '_deleted' ? false : undefined)
    const equal: unknown = typeof want === 'object' && want !== null ? Reflect.get(want, '$eq') : undefined
    if (equal !== undefined) return value === equal
    const above: unknown = typeof want === 'object' && want !== null ? Reflect.get(want, '$gt') : undefined
    if (typeof above === 'string') return String(value) > above
    const list = typeof want === 'object' && want !== null ? (Reflect.get(want, '$in') as unknown[]) : [want]
    return list.includes(value)
  })

function collection<N extends TableName>(
  disk: Disk,
  table: N,
  keyField: string,
  step: StorageStep,
  reader: Reader,
) {
  const rows = disk[table] as unknown as Map<string, Row<N>>
  const keyOf = (row: Row<N>) => String(Reflect.get(row, keyField))
  const isLive = (row: Row<N> | undefined): row is Row<N> => row !== undefined && !row._deleted
  const live = (key: string) => {
    const row = rows.get(key)
    return isLive(row) ? row : undefined
  }
  const known = (key: string) => {
    const row = disk.seen(table, key, reader)
    return isLive(row) ? row : undefined
  }
  const docOf = (row: Row<N>) => {
    const written = (before: Row<N>, next: Row<N>): Row<N> => {
      const after = before._deleted ? { _deleted: true, ...next } : { ...next }
      disk.write(table, keyOf(row), after, reader)
      return after
    }
    const modified = async (change: (row: Row<N>) => Row<N> | Promise<Row<N>>): Promise<Row<N>> => {
      const latest = () => rows.get(keyOf(row)) ?? row
      const { before, after } = await step('write', () => {
        const now = latest()
        const next = change(now)
        return { before: now, after: next instanceof Promise ? next : written(now, next) }
      })
      if (!(after instanceof Promise)) return after
      const next = await after
      // what was written meanwhile is a conflict: it is changed anew
      const done = await step('write', () => (latest() === before ? written(before, next) : null))
      return done ?? modified(change)
    }
    const modify = async (change: (row: Row<N>) => Row<N> | Promise<Row<N>>) => docOf(await modified(change))
    return {
      ...row,
      deleted: row._deleted === true,
      getLatest: () => docOf(disk.seen(table, keyOf(row), reader) ?? row),
      toJSON: () => row,
      toMutableJSON: () => row,
      incrementalModify: modify,
      incrementalPatch: (patch: Partial<Row<N>>) => modify((latest) => ({ ...latest, ...patch })),
      incrementalRemove: () => modify((latest) => ({ ...latest, _deleted: true })),
    }
  }
  const all = (selector?: Selector) =>
    [...rows.keys()]
      .flatMap((key) => known(key) ?? [])
      .filter((row) => fits(row, selector))
      .map(docOf)
  /** As the store has it, whatever this tab has heard of. */
  const stored = ({ selector }: { selector?: Selector } = {}) =>
    step('read', () => [...rows.values()].filter((row) => isLive(row) && fits(row, selector)))
  return {
    find: (query: { selector?: Selector } = {}) => ({ exec: () => step('read', () => all(query.selector)) }),
    findOne: (key: string) => ({
      exec: () =>
        step('read', () => {
          const row = known(key)
          return row ? docOf(row) : null
        }),
    }),
    findByIds: (keys: string[]) => ({
      exec: () =>
        step('read', () => {
          const found = keys.map(known).filter((row) => row !== undefined)
          return new Map(found.map((row) => [keyOf(row), docOf(row)]))
        }),
    }),
    async insertIfNotExists(row: Row<N>) {
      return step('write', () => {
        const there = live(keyOf(row))
        if (!there) disk.write(table, keyOf(row), row, reader)
        return docOf(there ?? row)
      })
    },
    async bulkInsert(many: Row<N>[]) {
      return step('write', () => {
        const [there, free] = [
          many.filter((row) => live(keyOf(row))),
          many.filter((row) => !live(keyOf(row))),
        ]
        for (const row of free) disk.write(table, keyOf(row), row, reader)
        return { success: free.map(docOf), error: there.map((row) => ({ ...row, status: 409 })) }
      })
    },
    async bulkUpsert(many: Row<N>[]) {
      // one transaction on the disk: all rows or none
      await step('write', () => many.forEach((row) => disk.write(table, keyOf(row), row, reader)))
      return { error: [] }
    },
    schema: { jsonSchema: filledSchema(table) },
    database: { storage: { rows: deviceRows } },
    /** As the store has them, whatever this tab has heard of. */
    stored,
    storedByKeys: (keys: readonly string[]) =>
      step('read', () => keys.map(live).filter((row) => row !== undefined)),
    storageInstance: {
      query: async ({ query: { selector } }: { query: { selector: Selector } }) => ({
        documents: await step('read', () =>
          [...rows.values()].filter((row) => isLive(row) && fits(row, selector)),
        ),
      }),
      /** As `write-together.ts` uses it: one transaction on the disk, all rows or none. */
      bulkWrite: (many: { previous?: Row<N>; document: Row<N> }[]) =>
        step('write', () => {
          const isTaken = ({ previous, document }: (typeof many)[number]) =>
            previous ? rows.get(keyOf(previous)) !== previous : live(keyOf(document)) !== undefined
          const error = many.filter(isTaken).map(({ document }) => {
            const documentId = keyOf(document)
            return { status: 409, documentId, documentInDb: rows.get(documentId) }
          })
          for (const { document } of many)
            if (error.every(({ documentId }) => documentId !== keyOf(document)))
              disk.write(table, keyOf(document), asWritten(document), reader)
          return { error }
        }),
    },
    async bulkRemove(keys: string[]) {
      await step('write', () =>
        keys.forEach((key) => {
          const row = live(key)
          if (row) disk.write(table, key, { ...row, _deleted: true }, reader)
        }),
      )
    },
  }
}

/** As RxDB's queries want it. */
function filledSchema(table: TableName): unknown {
  const schema: unknown = Reflect.get(rxSchemas, table)
  return schema && fillWithDefaultSettings(structuredClone(schema) as never)
}

/** What the sync asks of the device's storage (`sync/storage/device-rows.ts`). */
const deviceRows = {
  readOnce: (from: Stored, query: { selector?: Selector }) => from.stored(query),
  readByKeys: (from: Stored, keys: readonly string[]) => from.storedByKeys(keys),
  writeTogether,
}

interface Stored {
  stored(query: { selector?: Selector }): Promise<object[]>
  storedByKeys(keys: readonly string[]): Promise<object[]>
}

const asWritten = <R extends object>(row: R): R =>
  Reflect.get(row, '_deleted') === true ? { ...bare(row), _deleted: true } : bare(row)

/** Without what RxDB's storage has beside it. */
function bare<R extends object>(row: R): R {
  const { _meta, _rev, _attachments, _deleted, ...rest } = row as R & Record<string, unknown>
  return rest as R
}

/** Knows all at once. */
const ALL: Reader = { now: () => 0, knowsUntil: () => Infinity }

/** The database as one process sees it. */
export const modelDb = (disk: Disk, step: StorageStep, reader = ALL): SyncDatabase & Database =>
  ({
    ...Object.fromEntries(pushCollections.map((name) => [name, collection(disk, name, 'key', step, reader)])),
    name: disk.name,
    changes: collection(disk, 'changes', 'id', step, reader),
    ledger: collection(disk, 'ledger', 'id', step, reader),
    photos: collection(disk, 'photos', 'key', step, reader),
    drafts: collection(disk, 'drafts', 'key', step, reader),
  }) as unknown as SyncDatabase & Database
