/**
 * What somebody else has written into the stores of a user is neither read nor sent (decisions/encryption): every
 * store, every field that lies in clear, changed, removed, added; rows in clear; and what the app says.
 */
import { IDBKeyRange } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { rxSchemas, type CollectionName } from '#schemas/collections/collections.ts'
import { openAnswerCache } from '#data/http-cache/answer-cache.ts'
import { resultOf, writeDurably } from '#data/storage/idb.ts'
import { openPhotoBytes } from '#data/photos/photo-bytes.ts'
import { storesName } from '#data/database/database-name.ts'
import { DOCS } from '#data/storage/store-layout.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'
import { isSealed, SealError, type Sealed } from '#data/encryption/seal.ts'
import { SEALED, sealedRows } from '#data/encryption/sealed-rows.ts'
import { clearFields } from '#data/storage/docs-table.ts'
import type { Row, RowStore } from '#data/storage/docs-table.ts'
import { eachOnAnEmptyDevice, sealedUser } from '../../support/sealed-user.ts'
import { dataKey, sealerOf } from '../../support/seal-keys.ts'
import { inStore } from '../../support/in-store.ts'
import { storedFiles } from '../../support/stored-files.ts'
import type { StorageDump } from '../../support/storage-dump.ts'
import { PLAIN } from '../../support/plain-sealer.ts'

eachOnAnEmptyDevice()

const KEY = await dataKey('k-1')
const names = Object.keys(rxSchemas) as CollectionName[]

function storeOf(collection: CollectionName): RowStore {
  const { primaryKey: primary, indexes, version } = rxSchemas[collection]
  return {
    database: 'genba-1',
    collection,
    version,
    primary,
    clear: clearFields({ primaryKey: primary, indexes }),
  }
}

function rowsOf(collection: string): Row[] {
  const dumps = JSON.parse(storedFiles().at(-1)?.text ?? '[]') as StorageDump
  return dumps
    .filter(({ name }) => name.endsWith(`--${collection}`))
    .flatMap(({ stores }) => stores.find(({ name }) => name === DOCS)?.rows ?? [])
    .map(({ value }) => value as Row)
}

function codecOf(store: RowStore) {
  const told: string[] = []
  const codec = sealedRows(sealerOf(KEY), ({ kind }) => told.push(kind))(store)
  if (!codec) throw new Error('no codec')
  return { codec, told }
}

/** Another value of the same type. */
const other = (value: unknown): unknown => {
  if (value === 'yes' || value === 'no') return value === 'yes' ? 'no' : 'yes'
  if (value === '0' || value === '1') return value === '0' ? '1' : '0'
  if (typeof value === 'number') return value + 1
  if (Array.isArray(value)) return [...value, { id: 'x' }]
  return typeof value === 'object' && value !== null ? { ...value, lwt: 1 } : `${String(value)}x`
}

/** All forgeries of the unencrypted fields of a row. */
function forged(row: Row): [what: string, row: Row][] {
  const fields = Object.keys(row).filter((name) => name !== SEALED)
  const without = (name: string) =>
    Object.fromEntries(Object.entries(row).filter(([field]) => field !== name)) as Row
  return [
    ...fields.map((name): [string, Row] => [`${name} changed`, { ...row, [name]: other(row[name]) }]),
    ...fields.map((name): [string, Row] => [`${name} removed`, without(name)]),
    ['note added', { ...row, note: 'forged' }],
  ]
}

test.each(names)(
  '[SV4c] %s: a row of which anything in clear is another is refused, and so is one in clear',
  async (name) => {
    const store = storeOf(name)
    const stored = rowsOf(name)
    const indexed = Object.fromEntries([...store.clear].map((field) => [field, 'x']))
    const blank = { ...indexed, _deleted: '0', _rev: '1-a', _meta: { lwt: 2 }, _attachments: {} }
    const [plain] = stored.length > 0 ? stored : [blank]
    if (!plain) throw new Error(name)
    const { codec, told } = codecOf(store)
    const [row] = await codec.encode([plain])
    if (!row) throw new Error(name)
    expect(await codec.decode([row])).toEqual([plain])
    const tries = forged(row)
    expect(tries.length).toBeGreaterThan(8)
    for (const [what, each] of tries) expect([what, await codec.decode([each])]).toEqual([what, []])
    expect(told).toEqual(tries.map(() => 'spoiled'))
    expect(await codec.decode([plain, { ...row, [SEALED]: 'x' }])).toEqual([])
    expect(told.slice(tries.length)).toEqual(['clear', 'clear'])
    // the row of another schema version, another collection, another user
    for (const place of [{ version: store.version + 1 }, { collection: 'x' }, { database: 'genba-2' }])
      expect(await codecOf({ ...store, ...place }).codec.decode([row])).toEqual([])
  },
)

const meta = { _meta: { lwt: 1 }, _rev: '1-x', _attachments: {}, _deleted: '0' }

test('[SV3][SV4] a report that was put in while nobody was signed in is not there, is reported, and gives its place to the one that is saved', async () => {
  const device = sealedUser({ user: 'genba-1', userName: 'demo6', newId: () => 'k-1' })
  await device.login('password')
  const report = { key: 'r-1', requestId: 'r-1', workingDate: '', noteType: '1', serverId: '' }
  const first = await device.open()
  // a store is made when it is first read
  await first.db.noteLocationAreas.find().exec()
  await first.close()
  await device.logout()
  await inStore(storesName(device.user, 'k-1'), 'noteLocationAreas', (db) =>
    writeDurably(db, DOCS, (docs) => docs.put({ ...report, locationAreaId: 'a-1', ...meta })),
  )
  await device.login('password')
  const again = await device.open()
  const { noteLocationAreas: notes } = again.db
  expect(await notes.find().exec()).toEqual([])
  expect(await notes.find({ selector: { requestId: 'r-1' } }).exec()).toEqual([])
  expect(again.refused).toContain('sealed noteLocationAreas: clear')
  const [example] = rowsOf('noteLocationAreas')
  const { _meta, _rev, _attachments, _deleted, ...own } = { ...example, key: 'r-1' } as Row
  await notes.insert(own as never)
  expect(await notes.findOne('r-1').exec()).toMatchObject({ key: 'r-1' })
  const rows = await inStore(storesName(device.user, 'k-1'), 'noteLocationAreas', (db) =>
    resultOf(db.transaction(DOCS).objectStore(DOCS).getAll()),
  )
  expect(rows).toHaveLength(1)
  expect(isSealed(rows[0]?.[SEALED])).toBe(true)
})

test('[SV4] bytes, thumbnails, what is known of a photo, and answers that lie in clear are refused where there is a key', async () => {
  const place = { databaseName: 'genba-1', now: () => 1, settings: { indexedDB, IDBKeyRange } }
  const bytes = new Uint8Array([1, 2, 3]).buffer
  const origin = { taken: 'clock', place: 'device' } as const
  const answer = { etag: '"1"', text: '[]', total: 0 }
  const inClear: Sealer = {
    ...PLAIN,
    sealBytes: async (_, given) => given as never,
    sealValue: async (_, value) => value as never,
  }
  const plain = openPhotoBytes({ ...place, sealer: inClear })
  await plain.put('p-1', bytes, { thumb: bytes, origin })
  plain.close()
  const photos = openPhotoBytes({ ...place, sealer: sealerOf(KEY) })
  for (const read of [photos.get, photos.thumb, photos.origin])
    await expect(read('p-1')).rejects.toMatchObject({ kind: 'clear' })
  photos.close()
  const told: SealError[] = []
  const options = { ...place, sealer: sealerOf(KEY), refused: (error: SealError) => void told.push(error) }
  const answers = openAnswerCache(options)
  answers.put('/a', answer)
  await answers.written()
  expect(await answers.get('/a')).toEqual(answer)
  const db = await resultOf(indexedDB.open('genba-answers-1'))
  const [row] = (await resultOf(db.transaction('answers').objectStore('answers').getAll())) as {
    url: string
    sealed: Sealed
  }[]
  await writeDurably(db, 'answers', (table) => table.put({ url: row?.url, ...answer, text: '[1]' }))
  db.close()
  expect(await answers.get('/a')).toBeUndefined()
  expect(told.map(({ kind }) => kind)).toEqual(['clear'])
  answers.close()
})

test('[SV4] a user without a record of keys is locked: nothing is opened or written', async () => {
  const device = sealedUser({ user: 'genba-1', userName: 'demo6', newId: () => 'k-1' })
  await expect(device.open()).rejects.toMatchObject({ kind: 'no-key' })
  const names = (await indexedDB.databases()).map(({ name = '' }) => name)
  expect(names.filter((name) => name.includes(device.user))).toEqual([])
})

test('[SV4] marks on a photo are encrypted like what is known of it, and none are stored without its bytes', async () => {
  const settings = { indexedDB, IDBKeyRange }
  const photos = openPhotoBytes({ databaseName: 'genba-2', now: () => 1, settings, sealer: sealerOf(KEY) })
  const origin = { taken: 'clock', place: 'device' } as const
  const marks = {
    board: null,
    list: [{ kind: 'text' as const, from: { x: 0, y: 0 }, to: { x: 0, y: 0 }, text: '漏れ' }],
  }
  await photos.put('p-1', new ArrayBuffer(3), { origin })
  await photos.setOrigin('p-1', { ...origin, marks })
  await photos.setOrigin('p-2', { ...origin, marks })
  expect(await photos.origin('p-1')).toEqual({ ...origin, marks })
  expect(await photos.origin('p-2')).toBeUndefined()
  photos.close()
  const db = await resultOf(indexedDB.open('genba-photos-2'))
  const rows = await resultOf(db.transaction('info').objectStore('info').getAll())
  expect(rows).toHaveLength(1)
  expect(isSealed(rows[0]?.origin)).toBe(true)
  db.close()
})
