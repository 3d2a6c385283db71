/**
 * What becomes of a row that somebody else puts into a store (decisions/encryption): in clear while the app is locked,
 * or an older state of it. The table of docs/security.md says it of every store; `UPDATE=1` writes it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { rxSchemas, type CollectionName } from '#schemas/collections/collections.ts'
import { resultOf, writeDurably } from '#data/storage/idb.ts'
import { DOCS } from '#data/storage/store-layout.ts'
import { readStored, readStoredByKeys } from '#data/storage/stored-docs.ts'
import type { Row } from '#data/storage/docs-table.ts'
import { inStore } from '../../support/in-store.ts'
import { eachOnAnEmptyDevice, sealedUser } from '../../support/sealed-user.ts'

eachOnAnEmptyDevice()

const names = Object.keys(rxSchemas) as CollectionName[]
const PATH = join(resolve(import.meta.dirname, '../../..'), 'docs/security.md')
const [START, END] = ['<!-- at rest -->', '<!-- /at rest -->']

type Device = Awaited<ReturnType<ReturnType<typeof sealedUser>['open']>>

/** A document that says nothing, with a field that lies sealed. */
function documentOf(name: CollectionName, key: string, note: string) {
  const { primaryKey, properties } = rxSchemas[name]
  const blank: Record<string, unknown> = {
    string: '',
    number: 0,
    integer: 0,
    boolean: false,
    array: [],
    object: {},
  }
  const values = Object.entries(properties as Record<string, { type?: unknown }>)
    .filter(([field]) => !field.startsWith('_'))
    .map(([field, { type }]) => [field, blank[String([type].flat()[0])] ?? ''])
  return { ...Object.fromEntries(values), [primaryKey]: key, note }
}

// a collection is one of ten types: what is written here fits none of them, and RxDB asks nothing of it
const collectionOf = ({ db }: Device, name: CollectionName) => db[name] as unknown as Device['db']['own']
const notesOf = (rows: readonly object[]) => rows.map((row) => String(Reflect.get(row, 'note')))

async function saved(device: Device, name: CollectionName, note: string): Promise<void> {
  const error = await collectionOf(device, name)
    .incrementalUpsert(documentOf(name, 'k', note) as never)
    .then(() => null)
  expect(error).toBeNull()
}

/** Both ways in which a row is read from the disk. */
async function readOf(device: Device, name: CollectionName): Promise<string[][]> {
  const collection = collectionOf(device, name)
  const selector = { [rxSchemas[name].primaryKey]: 'k' }
  return [
    notesOf(await readStoredByKeys(collection, ['k'])),
    notesOf(await readStored(collection, { selector })),
  ]
}

const BELIEVED = '読む'
const REFUSED = '読まず、送らず、知らせる'

/** @returns what the app makes of a row that `forge` makes of the two that it wrote */
async function verdictOf(
  name: CollectionName,
  forge: (older: Row) => Row,
  when: 'open' | 'locked',
): Promise<string> {
  const user = sealedUser({ user: 'genba-1', userName: 'demo6', newId: () => 'k-1' })
  await user.login('password')
  let device = await user.open()
  const stores = device.db.name
  await saved(device, name, 'older')
  const read = (db: IDBDatabase): Promise<Row> => resultOf(db.transaction(DOCS).objectStore(DOCS).get('k'))
  const older = await inStore(stores, name, read)
  await saved(device, name, 'newer')
  expect(await readOf(device, name)).toEqual([['newer'], ['newer']])
  expect(device.refused).toEqual([])
  if (when === 'locked') {
    await device.close()
    await user.logout()
  }
  await inStore(stores, name, (db) => writeDurably(db, DOCS, (docs) => docs.put(forge(older))))
  if (when === 'locked') {
    await user.login('password')
    device = await user.open()
  }
  const [byKey = [], queried = []] = await readOf(device, name)
  expect(byKey).toEqual(queried)
  const isTold = device.refused.length > 0
  expect(isTold).toBe(byKey.length === 0)
  // the place is free for what is saved next
  await saved(device, name, 'newest')
  expect(await readOf(device, name)).toEqual([['newest'], ['newest']])
  await device.close()
  return isTold ? REFUSED : byKey.join()
}

const asItWas = (row: Row) => row
const inClear = (row: Row): Row => {
  const { sealed: _sealed, ...clear } = row
  return { ...clear, note: 'forged', _deleted: '0' }
}
const changed = (row: Row): Row => ({ ...row, _rev: '9-x' })
const added = (row: Row): Row => ({ ...row, note: 'forged' })

const rows = new Map<CollectionName, string[]>()

test.each(names)(
  '[SV4c] %s: what is forged is refused, and told; so is an older row while the app is open',
  async (name) => {
    const verdicts = [
      await verdictOf(name, changed, 'open'),
      await verdictOf(name, added, 'open'),
      await verdictOf(name, inClear, 'locked'),
      await verdictOf(name, asItWas, 'open'),
      await verdictOf(name, asItWas, 'locked'),
    ]
    expect(verdicts).toEqual([REFUSED, REFUSED, REFUSED, REFUSED, 'older'])
    rows.set(
      name,
      verdicts.map((verdict) => (verdict === 'older' ? `${BELIEVED}（約束しないこと）` : verdict)),
    )
  },
)

test('[SV4] what is read while it is written anew is not taken for a row that was put back', async () => {
  const user = sealedUser({ user: 'genba-1', userName: 'demo6', newId: () => 'k-1' })
  await user.login('password')
  const device = await user.open()
  await saved(device, 'noteLocationAreas', '0')
  const rounds = Array.from({ length: 30 }, (_, n) => n)
  const read = await Promise.all(
    rounds.flatMap((n) => [
      readOf(device, 'noteLocationAreas'),
      saved(device, 'noteLocationAreas', String(n)).then(() => null),
      readOf(device, 'noteLocationAreas'),
    ]),
  )
  for (const notes of read) if (notes) expect(notes.map(({ length }) => length)).toEqual([1, 1])
  expect(device.refused).toEqual([])
})

test('docs/security.md has the table', () => {
  const head = [
    '置き場所',
    '項目を書き換えた行',
    '項目を足した行',
    'ロック中に置いた、暗号化していない行',
    '開いている間に前の状態に戻した行',
    '閉じている間に前の状態に戻した行',
  ]
  // stores of which the same is true share a row
  const said = [...rows].map(([name, verdicts]) => ({ name, verdicts: verdicts.join(' | ') }))
  const alike = [...new Set(said.map(({ verdicts }) => verdicts))].map((verdicts) => {
    const stores = said.filter((each) => each.verdicts === verdicts)
    return [stores.map(({ name }) => `\`${name}\``).join('、'), verdicts]
  })
  const lines = [head, head.map(() => '---'), ...alike]
  const table = ['', '', ...lines.map((cells) => `| ${cells.join(' | ')} |`), '', '']
    .join('\n')
    .replaceAll('| --- ', '|---')
    .replaceAll('--- |', '---|')
  const [before = '', rest = ''] = readFileSync(PATH, 'utf8').split(START)
  const [there, after = ''] = rest.split(END)
  if (process.env['UPDATE']) writeFileSync(PATH, `${before}${START}${table}${END}${after}`)
  else
    expect(there, 'UPDATE=1 npx vitest run tests/sync/encryption/rows-put-back.test.ts writes it').toBe(table)
})
