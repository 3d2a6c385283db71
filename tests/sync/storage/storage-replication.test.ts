/**
 * RxDB's own tests of a replication (`rxdb/plugins/test-utils`), with both ends on the device's storage. Its tests of a
 * storage alone are not in the package: the differential test stands for them.
 */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { addRxPlugin, type RxCollection } from 'rxdb/plugins/core'
import { disableWarnings, RxDBDevModePlugin } from 'rxdb/plugins/dev-mode'
import { RxDBLocalDocumentsPlugin } from 'rxdb/plugins/local-documents'
import { replicateRxCollection } from 'rxdb/plugins/replication'
import {
  getPullHandler,
  getPullStream,
  getPushHandler,
  humansCollection,
  runReplicationBaseTestSuite,
  setConfig,
} from 'rxdb/plugins/test-utils'
import { wrappedValidateAjvStorage } from 'rxdb/plugins/validate-ajv'
import { afterAll, describe, it } from 'vitest'
import { createStorage } from '#data/storage/create-storage.ts'

interface Human {
  passportId: string
}

// they are written for Mocha
Object.assign(globalThis, { describe, it })
addRxPlugin(RxDBLocalDocumentsPlugin)
disableWarnings()
// they open databases as dev-mode alone lets them, and dev-mode wants each document validated
addRxPlugin(RxDBDevModePlugin)
const storage = () =>
  wrappedValidateAjvStorage({ storage: createStorage({ indexedDB: new IDBFactory(), IDBKeyRange }) })
setConfig({
  storage: {
    name: 'device',
    getStorage: storage,
    getPerformanceStorage: () => ({ storage: storage(), description: 'device' }),
    hasPersistence: true,
    hasMultiInstance: true,
    hasAttachments: false,
    hasReplication: true,
  },
})

let server: RxCollection<Human> | undefined
const atServer = () => {
  if (!server) throw new Error('no server')
  return server
}
const replicate = (collection: RxCollection<Human>, live: boolean) =>
  replicateRxCollection<Human, unknown>({
    replicationIdentifier: 'base-suite',
    collection,
    live,
    waitForLeadership: false,
    pull: { handler: getPullHandler(atServer()), stream$: getPullStream(atServer()) },
    push: { handler: getPushHandler(atServer()) },
  })

describe('on the device’s storage', () => {
  afterAll(async () => void (await server?.database.close()))

  runReplicationBaseTestSuite({
    startReplication: (collection: RxCollection<Human>) => replicate(collection, true),
    async syncOnce(collection: RxCollection<Human>) {
      await replicate(collection, false).awaitInitialReplication()
    },
    async getAllServerDocs() {
      const docs = await atServer().find().exec()
      return docs.map((doc) => doc.toJSON())
    },
    async cleanUpServer() {
      await server?.database.close()
      server = (await humansCollection.create(0, undefined, false)) as unknown as RxCollection<Human>
    },
    getPrimaryOfServerDoc: ({ passportId }: Human) => passportId,
  })
})
