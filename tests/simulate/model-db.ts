/**
 * What the engine uses of RxDB, in memory: every read and every write of one document is a step that takes time, is
 * atomic, and is on disk when it resolves. The real stores of changes and photos run on it. A removed document stays
 * as a tombstone, and a modify that comes too late modifies the tombstone, as in RxDB. What another tab writes is read a
 * while later, as RxDB reads what it has in memory; what writes goes by what is on disk.
 */
import { rxSchemas } from '#schemas/collections/collections.ts'
import { pushCollections } from '#schemas/collections/push-collections.ts'
import { fillWithDefaultSettings } from 'rxdb/plugins/core'
import type { SyncDatabase } from '#sync/storage/database.ts'
import type { Database } from '#data/database/database.ts'
import { writeTogether } from '#data/storage/stored-docs.ts'
import type { Disk, Reader, Row, TableName } from './disk.ts'

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
      /** As `stored-docs.ts` uses it: one transaction on the disk, all rows or none. */
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

/** What the sync asks of the device's storage (`sync/storage/database.ts`). */
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
    photos: collection(disk, 'photos', 'key', step, reader),
    drafts: collection(disk, 'drafts', 'key', step, reader),
  }) as unknown as SyncDatabase & Database
