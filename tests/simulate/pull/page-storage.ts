/**
 * RxDB's own storage in memory, as one page uses it: each step may take a while, fail, or never end, and what other pages
 * of the phone write is heard as a browser's tabs hear it.
 */
import { filter } from 'rxjs'
import type { RxStorage, RxStorageInstance } from 'rxdb/plugins/core'
import { getRxStorageMemory, type RxStorageInstanceMemory } from 'rxdb/plugins/storage-memory'
import { deviceRows } from '#data/storage/stored-docs.ts'
import { readingAgain, type ReadAgain } from '#data/storage/idb.ts'
import { kindOf } from './on-disk.ts'
import type { PagePort } from './page-port.ts'
import type { Written } from './phone-disk.ts'
import type { StoredDoc } from './stored-doc.ts'

type Instance = RxStorageInstance<StoredDoc, unknown, unknown>
type Kind = 'read' | 'write'
type Put = Omit<Written, 'collection'>
/** The phone's disk has one name, whichever page opens it. */
const ON_DISK = 'disk'

/** What the sync asks of the storage. The days are too short for what is deleted to leave the disk. */
export const simulatedRows = { ...deviceRows, removeDeleted: async () => undefined }

export function pageStorage(port: PagePort): RxStorage<unknown, unknown> & { rows: object } {
  const memory = getRxStorageMemory()
  // what outlives the page is the phone's
  memory.collectionStates = port.disk as typeof memory.collectionStates
  return {
    name: memory.name,
    rxdbVersion: memory.rxdbVersion,
    rows: simulatedRows,
    async createStorageInstance(params) {
      const instance = await memory.createStorageInstance({ ...params, databaseName: ON_DISK } as never)
      // RxDB's type of it is for documents of one kind
      return stepwise(instance as unknown as RxStorageInstanceMemory<StoredDoc> & Instance, port) as never
    },
  }
}

function stepwise(instance: RxStorageInstanceMemory<StoredDoc> & Instance, port: PagePort): Instance {
  const { collectionName } = instance
  const after = <T>(kind: Kind, run: () => Promise<T>, written?: Put): Promise<T> => {
    const wait = port.storage(kind, collectionName, written && { collection: collectionName, ...written })
    return wait ? wait.then(run) : run()
  }
  const closing = new AbortController()
  const reading = readingOf(port, closing.signal)
  const read = <T>(run: () => Promise<T>) => reading(() => after('read', run))
  const write: Instance['bulkWrite'] = (rows, context) => {
    const size = () => JSON.stringify(rows.map(({ document }) => document)).length
    const put = async () => {
      instance.ensurePersistence()
      const known = rows.map(({ document }) => instance.internals.documents.get(keyOf(instance, document)))
      const answer = await instance.bulkWrite(rows, context)
      // it puts them in their place at the next look only
      instance.ensurePersistence()
      rows.forEach(({ document }, at) => {
        const now = instance.internals.documents.get(keyOf(instance, document))
        if (now !== undefined && now !== known[at]) port.wrote(kindOf(collectionName, now), known[at], now)
      })
      return answer
    }
    return after('write', put, { keys: rows.map(({ document }) => keyOf(instance, document)), size })
  }
  const own: Partial<Instance> = {
    bulkWrite: write,
    query: (query) => read(() => instance.query(query)),
    count: (query) => read(() => instance.count(query)),
    findDocumentsById: (ids, deleted) => read(() => instance.findDocumentsById(ids, deleted)),
    cleanup: (ms) => after('write', () => instance.cleanup(ms), { keys: [], size: () => 0 }),
    changeStream: () =>
      (instance.changeStream() as ReturnType<Instance['changeStream']>).pipe(filter(() => port.isAlive())),
    close() {
      closing.abort()
      return instance.close()
    },
  }
  return new Proxy(instance, {
    get: (target, name) => Reflect.get(name in own ? own : target, name),
  })
}

/** What the browser breaks off is read again, as the shipped storage does below RxDB. */
export const readingOf = ({ report }: PagePort, closed: AbortSignal): ReadAgain =>
  readingAgain(closed, report)

const keyOf = (instance: { primaryPath: unknown }, doc: object) =>
  String(Reflect.get(doc, String(instance.primaryPath)))
