/** What was kept for the next start goes before anything is written, so a kill in between shows nothing old (decision 0105). */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { openDatabase, type Database } from '#data/database.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { versionsHere } from '#data/storage/tested-versions.ts'
import { requestOn } from '../support/visit-records.ts'

const request = requestOn('1', '2026-11-20')

async function phone(versions = versionsHere()) {
  const told: string[] = []
  const kill = { at: '' }
  const storage = createStorage({
    ...{ indexedDB: new IDBFactory(), IDBKeyRange, versions },
    beforeWrite(collection) {
      told.push(collection)
      if (collection === kill.at) throw new Error('killed')
    },
  })
  const db = await openDatabase({ name: 'phone', storage, conflictHandlers: {}, multiInstance: false })
  return { db, told, kill }
}

const isThere = async (db: Database) => (await db.requests.findOne(request.key).exec()) !== null

test.each([
  ['the storage of the app', undefined],
  ["RxDB's own", { ...versionsHere(), rxdb: '99.0.0' }],
])(
  '[decision 0105] %s says that it is about to write, and has written nothing until then',
  async (_, versions) => {
    const { db, told, kill } = await phone(versions)
    kill.at = 'requests'
    await expect(db.requests.insert(request)).rejects.toThrow('killed')
    expect(told).toContain('requests')
    expect(await isThere(db)).toBe(false)
    kill.at = ''
    await db.requests.insert(request)
    expect(await isThere(db)).toBe(true)
    told.length = 0
    await db.requests.findOne(request.key).remove()
    expect(told).toEqual(['requests'])
    await db.close()
  },
)
