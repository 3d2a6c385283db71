/** What was kept for the next start goes before anything is written, so a kill in between shows nothing old (decision 0105). */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { blankLedgerEntry } from '#schemas/change-queue.ts'
import { openDatabase, type Database } from '#data/database.ts'
import { keepValues } from '#data/drafts.ts'
import { affectsList } from '#data/list-dependencies.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { versionsHere } from '#data/storage/tested-versions.ts'
import { quickReportRecord } from '../support/device-records.ts'
import { requestOn } from '../support/visit-records.ts'

const request = requestOn('1', '2026-11-20')

async function phone(versions = versionsHere()) {
  const told: string[] = []
  const puttingOut: string[] = []
  const kill = { at: '' }
  const storage = createStorage({
    ...{ indexedDB: new IDBFactory(), IDBKeyRange, versions },
    beforeWrite(collection, rows) {
      told.push(collection)
      if (affectsList(collection, rows)) puttingOut.push(collection)
      if (collection === kill.at) throw new Error('killed')
    },
  })
  const db = await openDatabase({ name: 'phone', storage, multiInstance: false })
  return { db, told, puttingOut, kill }
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

test('[decision 0105][ST1] a refusal, which is written to the ledger alone, puts the kept list out before it is written, also in the frame of another CRM', async () => {
  const { db, puttingOut } = await phone()
  const record = { ...quickReportRecord('1', []), resource: 'quickReports' }
  const change = { id: 'c1', stamp: '1', savedAt: '', userId: 'u', offline: false, kind: 'entry', fields: {} }
  const entry = blankLedgerEntry({ record, change })
  await keepValues(db, 'emergencyReport/add/r-1', { text: '打ちかけ' })
  await db.ledger.insert({ ...entry, state: 'sending' })
  expect(puttingOut).toEqual([])
  const row = await db.ledger.findOne('c1').exec(true)
  await row.incrementalPatch({ state: 'refused' })
  expect(puttingOut).toEqual(['own'])
  await db.close()
})
