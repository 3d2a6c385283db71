/** The table of unencrypted fields in docs/security.md matches the code; `UPDATE=1` writes the table. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { IDBKeyRange } from 'fake-indexeddb'
import { expect, test } from 'vitest'
import { rxSchemas, type CollectionName } from '#schemas/collections/collections.ts'
import { clearFacts, SEALED } from '#data/encryption/sealed-rows.ts'
import { storeValues } from '#data/drafts/drafts.ts'
import { eachPiece, withDatabase } from '#data/storage/idb.ts'
import { createSealer, ringOf } from '#data/encryption/key-ring.ts'
import { collectionStores } from '#data/database/collection-stores.ts'
import { isSealed } from '#data/encryption/seal.ts'
import { clearFields } from '#data/storage/docs-table.ts'
import { saveNote } from '#features/note-location-area/commands.ts'
import { saveSafetyMeasure } from '#features/safety-measure/commands.ts'
import { take } from '../../support/photos.ts'
import { enter, nth, todayScene } from '../../support/replication.ts'
import { dataKey, sealedBy } from '../../support/seal-keys.ts'

const PATH = join(resolve(import.meta.dirname, '../../..'), 'docs/security.md')
const [START, END] = ['<!-- clear fields -->', '<!-- /clear fields -->']

/** The field names of a row with all fields and lists of one entry; for a shared collection those of each kind. */
function factsOf(collection: CollectionName): string[] {
  const names = Object.keys(rxSchemas[collection].properties)
  const row = Object.fromEntries(names.map((name) => [name, /^(?:changes|photos)$/.test(name) ? [{}] : '']))
  const ofKind = (rowKey: string) => Object.entries(clearFacts(collection, { ...row, rowKey }))
  return [...ofKind(''), ...ofKind('drafts/')].map(([name, value]) =>
    Array.isArray(value) ? `${name}（${Object.keys(Object(value[0])).join('、')} だけ）` : name,
  )
}

function tableOf(): string {
  const rows = (Object.keys(rxSchemas) as CollectionName[]).map((name) => {
    const clear = [...clearFields(rxSchemas[name])].filter((field) => !field.startsWith('_'))
    const fields = [...new Set([...clear, ...factsOf(name)])]
    return `| \`${name}\` | ${fields.join('、')} |`
  })
  return ['', '', '| コレクション | そのまま置く項目 |', '|---|---|', ...rows, '', ''].join('\n')
}

test('docs/security.md lists the fields that lie in clear', () => {
  const text = readFileSync(PATH, 'utf8')
  const [before = '', rest = ''] = text.split(START)
  const [table, after = ''] = rest.split(END)
  if (process.env['UPDATE']) writeFileSync(PATH, `${before}${START}${tableOf().slice(0)}${END}${after}`)
  else
    expect(table, 'UPDATE=1 npx vitest run tests/sync/merge/clear-fields.test.ts writes it').toBe(tableOf())
})

/** The fields of RxDB in every row, and the encrypted bytes. */
const OF_ROWS = ['_deleted', '_rev', '_meta', '_attachments', SEALED]

const app = todayScene()

test('[SV4] and on the disk a sealed row has these in clear, and nothing else', async () => {
  app.phone.storageOptions = sealedBy(createSealer(ringOf(await dataKey('k-1'))))
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  await enter(device, request)
  await saveNote(device.saver(), request, { note: '秘密のメモ' })
  await saveSafetyMeasure(device.saver(), request, '3', '2')
  await storeValues(device.db, 'quickReport/exit/r-1', { reportContent: '秘密の下書き' })
  await take(device, '秘密の写真.jpg', 1)
  const { name: user } = device.db
  await app.close(device)
  const { indexedDB } = app.phone.storage
  const found = new Map<string, Set<string>>()
  for (const { name, collection } of await collectionStores(indexedDB, user)) {
    const all = { table: 'docs', ranges: IDBKeyRange, size: 60 }
    const take = async (rows: object[]) => {
      for (const row of rows) {
        const { [SEALED]: sealed, ...clear } = row as Record<string, unknown>
        expect(isSealed(sealed), `${collection} is sealed`).toBe(true)
        // all texts of people and the CRM in these rows contain other characters than ASCII
        expect(JSON.stringify(clear)).toMatch(/^[ -~]*$/)
        found.set(collection, new Set([...(found.get(collection) ?? []), ...Object.keys(row)]))
      }
    }
    await withDatabase(indexedDB, name, (db) => eachPiece(db, all, take))
  }
  const table = new Map(
    [...tableOf().matchAll(/^\| `(\w+)` \| (.*) \|$/gmu)].map(([, name = '', fields = '']) => [
      name,
      fields.split('、').map((field) => field.replace(/（.*/u, '')),
    ]),
  )
  // RxDB's metadata of each replication
  for (const name of found.keys()) if (name.startsWith('rx-replication-meta-')) table.set(name, ['id'])
  for (const [collection, fields] of found)
    for (const field of fields)
      expect([...OF_ROWS, ...(table.get(collection) ?? [])], `${collection}.${field}`).toContain(field)
  const read = ['requests', 'changes', 'photos', 'own']
  expect([...found.keys()]).toEqual(expect.arrayContaining(read))
})
