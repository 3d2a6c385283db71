/**
 * The storage of a page whose rows are sealed: RxDB's interface over rows as the shipped codec writes and reads them, in the
 * order of the shipped storage (`docs-table.ts`): encoded, put in one step, and what was there decoded for what is told.
 */
import { filter, Subject } from 'rxjs'
import {
  categorizeBulkWriteRows,
  getPrimaryFieldOfPrimaryKey,
  getQueryMatcher,
  getSortComparator,
  type PreparedQuery,
  type RxDocumentData,
  type RxStorage,
  type RxStorageInstance,
  type RxStorageInstanceCreationParams,
} from 'rxdb/plugins/core'
import {
  clearFields,
  docOf,
  rowOf,
  type CodecFor,
  type Row,
  type RowCodec,
} from '#data/storage/docs-table.ts'
import type { PagePort, SealPort } from './page-port.ts'
import { readingOf, simulatedRows } from './page-storage.ts'
import type { StoredDoc } from './stored-doc.ts'
import type { SealedDisk, SealedStore } from './sealed-disk.ts'

type Doc = StoredDoc & RxDocumentData<Record<string, unknown>>
type Instance = RxStorageInstance<Record<string, unknown>, object, object>
type Written = Parameters<Instance['bulkWrite']>[0]

interface Opened {
  port: PagePort
  disk: SealedDisk
  seal: SealPort
  store: SealedStore
  codec: RowCodec | null
}

export function sealedStorage(
  port: PagePort,
  seal: SealPort,
  codecFor: CodecFor,
): RxStorage<unknown, unknown> {
  const disk = seal.disk(port.diskName)
  const storage = {
    name: 'sealed',
    rxdbVersion: '17.6.0',
    rows: simulatedRows,
    async createStorageInstance(params: RxStorageInstanceCreationParams<Record<string, unknown>, object>) {
      const { collectionName: collection, schema } = params
      const primary = getPrimaryFieldOfPrimaryKey(schema.primaryKey)
      const store = disk.store(collection, schema.version, primary)
      store.changes$ ??= new Subject()
      const clear = clearFields({ primaryKey: primary, indexes: schema.indexes ?? [] })
      const codec = codecFor({
        ...{ database: port.diskName, collection, version: schema.version },
        ...{ primary, clear },
      })
      return instanceOf(params, { port, seal, disk, store, codec })
    },
  }
  // RxDB's type of it is for documents of one kind
  return storage as unknown as RxStorage<unknown, unknown>
}

function instanceOf(
  {
    databaseName,
    collectionName,
    schema,
    options,
  }: RxStorageInstanceCreationParams<Record<string, unknown>, object>,
  opened: Opened,
): Instance {
  const { port, store } = opened
  const closing = new AbortController()
  const reading = readingOf(port, closing.signal)
  const read = async (find: () => readonly Row[]): Promise<Doc[]> => {
    await reading(async () => port.storage('read', store.collection))
    const rows = find()
    return (opened.codec ? await opened.codec.decode(rows) : rows).map((row) => docOf(row) as unknown as Doc)
  }
  const query = async (asked: PreparedQuery<never>) => {
    const all = await read(() => [...store.rows.values()].filter(inRange(asked)))
    const { skip = 0, limit = Infinity } = asked.query as { skip?: number; limit?: number }
    const matches = getQueryMatcher(schema as never, asked.query as never)
    const found = all.filter((doc) => matches(doc as never))
    return found.toSorted(getSortComparator(schema as never, asked.query as never)).slice(skip, skip + limit)
  }
  const instance = {
    databaseName,
    collectionName,
    schema,
    options,
    internals: {},
    bulkWrite: (rows: Written, context: string) =>
      written(instance as unknown as Instance, opened, rows, context),
    query: async (asked: PreparedQuery<never>) => ({ documents: await query(asked) }),
    count: async (asked: PreparedQuery<never>) => ({ count: (await query(asked)).length, mode: 'fast' }),
    async findDocumentsById(ids: string[], withDeleted: boolean) {
      const docs = await read(() => ids.flatMap((id) => store.rows.get(id) ?? []))
      return withDeleted ? docs : docs.filter(({ _deleted }) => !_deleted)
    },
    changeStream: () => store.changes$?.pipe(filter(() => port.isAlive())),
    async cleanup(deletedFor: number) {
      await port.storage('write', store.collection)
      const before = port.now() - deletedFor
      for (const [key, row] of store.rows) {
        const { lwt } = row['_meta'] as { lwt: number }
        if (row._deleted === '1' && lwt < before) store.rows.delete(key)
      }
      return true
    },
    close: async () => closing.abort(),
  }
  return instance as unknown as Instance
}

/** As a range of an index leaves out what cannot be meant, before it is opened. */
function inRange({ query: { selector } }: PreparedQuery<never>): (row: Row) => boolean {
  const wanted = Object.entries(selector as Record<string, unknown>).flatMap(([field, asked]) => {
    const value: unknown = typeof asked === 'object' ? Reflect.get(Object(asked), '$eq') : asked
    return ['string', 'number', 'boolean'].includes(typeof value) ? [[field, value] as const] : []
  })
  const valueOf = (row: Row, field: string) => (field === '_deleted' ? row._deleted === '1' : row[field])
  return (row) => wanted.every(([field, value]) => !(field in row) || valueOf(row, field) === value)
}

async function written(
  instance: Instance,
  { port, seal, disk, store, codec }: Opened,
  rows: Written,
  context: string,
) {
  const { primary } = store
  const keyOf = (doc: object) => String(Reflect.get(doc, primary))
  const account = (known: readonly Row[]) => {
    const docs = new Map(known.map((row) => [keyOf(row), docOf(row)]))
    return categorizeBulkWriteRows(instance, primary as never, docs as never, rows, context)
  }
  const plain = rows.map(({ document }) => rowOf(document))
  const encoded = codec ? await codec.encode(plain) : plain
  const size = () => JSON.stringify(plain).length
  const keys = rows.map(({ document }) => keyOf(document))
  await port.storage('write', store.collection, { collection: store.collection, keys, size })
  const known = rows.flatMap(({ document }) => store.rows.get(keyOf(document)) ?? [])
  const { errors } = account(known)
  const refused = new Set<unknown>(errors.map(({ writeRow }) => writeRow))
  for (const [at, row] of encoded.entries()) {
    if (refused.has(rows[at])) continue
    const before = store.rows.get(keyOf(row))
    store.rows.set(keyOf(row), row)
    seal.wrote(disk, store, before, row)
  }
  const told = account(codec ? await codec.decode(known) : known)
  const { newestRow, eventBulk } = told
  if (newestRow) eventBulk.checkpoint = { id: keyOf(newestRow.document), lwt: newestRow.document._meta.lwt }
  if (eventBulk.events.length > 0) store.changes$?.next(eventBulk)
  return { error: told.errors }
}
