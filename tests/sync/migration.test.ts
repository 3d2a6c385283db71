/**
 * A database of version 0 with a full queue opens under a schema of version 1 (SV3). `fixtures/device-v0.json` is the
 * storage of a phone as the first version left it: everything of three requests read, one report sent, and without signal an
 * entry, an exit, one save of each record, a photo and a draft. It was made by the test at the end, with MAKE_FIXTURE=1.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { IDBFactory } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { rxSchemas, type CollectionName } from '#schemas/collections.ts'
import { pushCollections } from '#schemas/push-collections.ts'
import type { Layout } from '#data/database.ts'
import { keepValues } from '#data/drafts.ts'
import { newPhone, until, type Device } from '../support/device.ts'
import { jpeg, sha256, take } from '../support/photos.ts'
import { isOpen, recordCases } from '../support/record-saves.ts'
import { enter, leave, nth, NOW, replicationScene, statesOf } from '../support/replication.ts'
import { dumpStorage, restoreStorage, type StorageDump } from '../support/storage-dump.ts'

const app = replicationScene()
const FIXTURE = join(import.meta.dirname, 'fixtures/device-v0.json')
const NUMBER = 900

const names = Object.keys(rxSchemas) as CollectionName[]

/** Version 1: every collection has one more field, and all that was there. */
const VERSION_1: Layout = {
  schemas: Object.fromEntries(
    names.map((name) => {
      const schema = rxSchemas[name]
      return [
        name,
        { ...schema, version: 1, properties: { ...schema.properties, grown: { type: 'string' } } },
      ]
    }),
  ) as unknown as typeof rxSchemas,
  migrations: Object.fromEntries(
    names.map((name) => [name, { 1: (doc: object) => ({ ...doc, grown: 'yes' }) }]),
  ),
}

async function oldPhone() {
  const indexedDB = new IDBFactory()
  await restoreStorage(indexedDB, await readFile(FIXTURE, 'utf8'))
  app.phone = newPhone(NOW, { number: NUMBER, indexedDB, memory: new Map() })
  await app.phone.signIn()
}

const changeIds = async (device: Device) => (await device.queue()).map(({ change }) => change.id)

test('[SV3] the queue of version 0 opens under version 1 as it was, in its order, with its photo and draft', async () => {
  await oldPhone()
  const before = await app.open({ online: false })
  const queue = await changeIds(before)
  expect(queue).toHaveLength(7)
  await app.close(before)
  const device = await app.open({ online: false, layout: VERSION_1 })
  expect(await changeIds(device)).toEqual(queue)
  expect(await statesOf(device)).toEqual(queue.map(() => 'waiting'))
  for (const name of [...pushCollections, 'requests', 'ledger', 'photos', 'drafts'] as const) {
    const docs = await device.db[name].find({ selector: {} }).exec()
    expect(docs.map((doc) => doc.get('grown') as unknown)).toEqual(docs.map(() => 'yes'))
    expect(docs.length).toBeGreaterThan(0)
  }
  const [photo] = await device.db.photos.find().exec()
  expect(photo).toMatchObject({ unsent: 'yes' })
  expect(sha256(await device.bytes.get(photo?.key ?? ''))).toBe(sha256(jpeg(1)))
})

test('[SV2] … and goes to the CRM, each once; pulls go on as before', async () => {
  await oldPhone()
  const device = await app.open({ online: false, layout: VERSION_1 })
  const entered = nth(await device.queue(), 1).record.key
  expect((await device.db.requests.findOne(entered).exec(true)).quickReport).toBeNull()
  const seed = await app.crm.inspect()
  device.network.next(true)
  // this CRM never heard of the report that the exit belongs to: it says so, and that stays visible
  await until(async () => (await statesOf(device)).join() === 'failed')
  const state = await app.crm.inspect()
  for (const { made } of recordCases) expect(made(state)).toHaveLength(1)
  expect(state.quickReports.length).toBe(seed.quickReports.length + 1)
  expect(app.writes('/spa/').filter(({ acted }) => acted)).toHaveLength(6)
  // what version 0 had read is the CRM's still: a pull writes over it
  await until(async () => (await device.db.requests.findOne(entered).exec())?.quickReport?.id)
})

test.runIf(process.env['MAKE_FIXTURE'])('makes the fixture', async () => {
  app.phone = newPhone(NOW, { number: NUMBER, indexedDB: new IDBFactory(), memory: new Map() })
  const device = await app.open()
  const free = (await app.freeRequests(device)).filter(isOpen)
  const kept = free.slice(0, 3)
  const [first, second] = [nth(kept, 0), nth(kept, 1)]
  await enter(device, first)
  await app.sent(device)
  await until(async () => (await device.db.pastReports.find().exec()).length > 0)
  device.network.next(false)
  await leave(device, [first])
  await enter(device, second)
  for (const { save } of recordCases) await save(device, second)
  const [emergency] = await device.db.emergencyReports.find({ selector: { requestId: second.id } }).exec()
  await take(device, 'a.jpg', 1, {
    resource: 'emergencyReports',
    recordKey: emergency?.key ?? '',
    requestId: second.id,
  })
  await keepValues(device.db, `noteLocationArea/add/${second.id}`, { note: '書きかけ' })
  const all = (await device.db.requests.find().exec()).map(({ key }) => key)
  await app.close(device)
  const dropped = all.filter((key) => !kept.some((request) => request.key === key))
  const dumps = JSON.parse(await dumpStorage(app.phone.storage.indexedDB)) as StorageDump
  const isKept = ({ key, value }: { key: unknown; value: unknown }) =>
    !dropped.some((visit) => String(key).includes(visit) || JSON.stringify(value).includes(`"${visit}"`))
  for (const { name, stores } of dumps)
    for (const store of stores) {
      store.rows = store.rows.filter(isKept)
      // enough of what others wrote
      if (/pastReports|noteLocationAreas|supplierStaff|interests/.test(name))
        store.rows = store.rows.filter((row, i) => i < 12 || JSON.stringify(row).includes('"yes"'))
    }
  await writeFile(FIXTURE, `${JSON.stringify(dumps)}\n`)
})
