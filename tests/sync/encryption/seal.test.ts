/** Sealing (decisions/encryption): what comes back is what was sealed, or a typed error, never anything else. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rxSchemas, type CollectionName } from '#schemas/collections/collections.ts'
import { clearFacts, SEALED, sealedRows } from '#data/encryption/sealed-rows.ts'
import { isSealed, seal, SealError, unseal, type DataKey, type SealedPlace } from '#data/encryption/seal.ts'
import { freshKey, freshSalt, openerOf, unwrapped, usableKey, wrapped } from '#data/encryption/wrap.ts'
import { clearFields } from '#data/storage/docs-table.ts'
import type { Row, RowStore } from '#data/storage/docs-table.ts'
import { whatStays, type Stored } from '#data/database/what-stays.ts'
import { dataKey, sealerOf } from '../../support/seal-keys.ts'
import { storedFiles } from '../../support/stored-files.ts'
import type { StorageDump } from '../../support/storage-dump.ts'

const [KEY, OTHER] = [await dataKey('k-1'), await dataKey('k-2')]
const PLACE: SealedPlace = ['genba-1', 'drafts', 'd-1']
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => new Uint8Array(array).buffer)

const kindOf = (work: Promise<unknown>) =>
  work.then(
    () => 'opened',
    (error: unknown) => (error instanceof SealError ? error.kind : String(error)),
  )

test('what was sealed comes back, and with a fresh IV each time', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, async (plain) => {
      const [first, second] = [await seal(KEY, PLACE, plain), await seal(KEY, PLACE, plain)]
      expect(Buffer.from(await unseal(KEY.key, PLACE, first))).toEqual(Buffer.from(plain))
      expect(Buffer.from(first.bytes.slice(0, 12))).not.toEqual(Buffer.from(second.bytes.slice(0, 12)))
      expect(first.bytes.byteLength).toBe(plain.byteLength + 12 + 16)
    }),
    { numRuns: 50 },
  )
})

test('a flipped bit, a piece of it, another key, another place: spoiled; no key: no-key', async () => {
  const others: SealedPlace[] = [
    ['genba-2', 'drafts', 'd-1'],
    ['genba-1', 'photos', 'd-1'],
    ['genba-1', 'drafts', 'd-2'],
    ['genba-1', 'drafts', '","d-1'],
  ]
  await fc.assert(
    fc.asyncProperty(bytes, fc.nat(), async (plain, at) => {
      const sealed = await seal(KEY, PLACE, plain)
      const flipped = new Uint8Array(sealed.bytes.slice(0))
      const bit = at % (8 * flipped.length)
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const cut = sealed.bytes.slice(0, at % sealed.bytes.byteLength)
      for (const spoiled of [flipped.buffer, cut])
        expect(await kindOf(unseal(KEY.key, PLACE, { ...sealed, bytes: spoiled }))).toBe('spoiled')
      expect(await kindOf(unseal(OTHER.key, PLACE, sealed))).toBe('spoiled')
      for (const place of others) expect(await kindOf(unseal(KEY.key, place, sealed))).toBe('spoiled')
      expect(await kindOf(unseal(null, PLACE, sealed))).toBe('no-key')
    }),
    { numRuns: 50 },
  )
})

test('a key is wrapped by the password, whichever way its letters were composed, and by no other', async () => {
  const salting = freshSalt(10)
  const raw = freshKey()
  const opener = await openerOf('が+1', salting)
  const kept = await wrapped(opener, salting, 'k-1', raw)
  const open = async (password: string, id = 'k-1', over = kept) =>
    unwrapped(await openerOf(password, over), id, over)
  expect(new Uint8Array((await open('か\u3099+1')) ?? new ArrayBuffer(0))).toEqual(raw)
  expect(await open('が+2')).toBeNull()
  expect(await open('が+1', 'k-2')).toBeNull()
  expect(await open('が+1', 'k-1', { ...kept, rounds: 11 })).toBeNull()
  await expect(open('が+1', 'k-1', { ...kept, rounds: 1e9 })).rejects.toThrow(RangeError)
  const usable = await usableKey(raw)
  for (const key of [usable, opener]) {
    expect(key.extractable).toBe(false)
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow('extractable')
  }
})

const names = Object.keys(rxSchemas) as CollectionName[]
const storeOf = (collection: CollectionName): RowStore => {
  const { primaryKey: primary, indexes, version } = rxSchemas[collection]
  return {
    database: 'genba-1',
    collection,
    version,
    primary,
    clear: clearFields({ primaryKey: primary, indexes }),
  }
}
const codecOf = (store: RowStore, ...keys: DataKey[]) => {
  const codec = sealedRows(sealerOf(...keys))(store)
  if (!codec) throw new Error('no codec')
  return codec
}
const rowsOf = (collection: string): Row[] => {
  const dumps = JSON.parse(storedFiles().at(-1)?.text ?? '[]') as StorageDump
  return dumps
    .filter(({ name }) => name.endsWith(`--${collection}`))
    .flatMap(({ stores }) => stores.find(({ name }) => name === 'docs')?.rows ?? [])
    .map(({ value }) => value as Row)
}

test('rows of every collection come back as they were; without a key none is written', async () => {
  let rows = 0
  for (const name of names) {
    const store = storeOf(name)
    const stored = rowsOf(name)
    rows += stored.length
    const sealed = await codecOf(store, KEY).encode(stored)
    expect(sealed.every((row) => isSealed(row[SEALED]))).toBe(true)
    expect(await codecOf(store, OTHER, KEY).decode(sealed)).toEqual(stored)
    if (stored.length === 0) continue
    expect(await kindOf(codecOf(store).encode(stored))).toBe('no-key')
    expect(await kindOf(codecOf(store, OTHER).decode(sealed))).toBe('no-key')
  }
  expect(rows).toBeGreaterThan(30)
})

test('any values of any fields come back', async () => {
  const row = fc.record(
    {
      key: fc.string(),
      _deleted: fc.constantFrom('0', '1'),
      a: fc.jsonValue(),
      b: fc.jsonValue(),
      unsent: fc.string(),
    },
    { requiredKeys: ['key', '_deleted'] },
  )
  const store = { ...storeOf('quickReports') }
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 4 }), async (rows) => {
      const plain = JSON.parse(JSON.stringify(rows)) as Row[]
      const codec = codecOf(store, KEY)
      expect(await codec.decode(await codec.encode(plain))).toEqual(plain)
    }),
    { numRuns: 50 },
  )
})

test('two rows whose sealed parts changed places are spoiled', async () => {
  const store = storeOf('photos')
  const codec = codecOf(store, KEY)
  const [first, second] = await codec.encode([
    { key: 'a', _deleted: '0', name: '1' },
    { key: 'b', _deleted: '0', name: '2' },
  ])
  const swapped = { ...first, [SEALED]: second?.[SEALED] } as Row
  expect(await codec.decode([swapped])).toEqual([])
})

test('[EX6] what stays of who is not signed in is told from sealed rows as from plain ones', async () => {
  const until = { drafts: 0, bytes: 0 }
  const plain = new Map<string, Row[]>(names.map((name) => [name, rowsOf(name)]))
  const sealed = new Map<string, Row[]>()
  for (const name of names) sealed.set(name, await codecOf(storeOf(name), KEY).encode(rowsOf(name)))
  const stays = whatStays(plain, until)
  expect(whatStays(sealed, until)).toEqual(stays)
  expect([...stays.values()].filter((keys) => keys.size > 0).length).toBeGreaterThan(3)
})

test('[EX6][OR2] an edit that is unsent stays with what was accepted of its record, which says the id; sealed or not', async () => {
  const change = (id: string, recordKey: string, state: string) => ({
    ...{ id, resource: 'noteLocationAreas', recordKey, state, result: { id: 's-1' }, _deleted: '0' },
  })
  const rows: Row[] = [change('made', 'n1', 'accepted'), change('edit', 'n1', 'waiting')]
  const others = [change('sent', 'n2', 'accepted'), change('given-up', 'n3', 'discarded')]
  const sealed = await codecOf(storeOf('changes'), KEY).encode([...rows, ...others])
  for (const stored of [[...rows, ...others], sealed]) {
    const stays = whatStays(new Map([['changes', stored]]), { drafts: 0, bytes: 0 })
    expect([...(stays.get('changes') ?? [])]).toEqual(['made', 'edit'])
  }
})

test('[EX6] a sent photo that a draft marks 削除 stays with its record and without its bytes, sealed or not; another one does not', async () => {
  const photo = (key: string, recordKey: string) => ({
    ...{
      key,
      resource: 'noteLocationAreas',
      recordKey,
      changeId: `${key}-saved`,
      unsent: 'no',
      _deleted: '0',
    },
  })
  const record = (key: string) => ({ key, changes: [], unsent: 'no', _deleted: '0' })
  const draft = {
    key: 'form',
    rowKey: 'drafts/form',
    photos: [],
    unwanted: ['p1'],
    saving: 'no',
    _deleted: '0',
  }
  const stored: [CollectionName, Row[]][] = [
    ['photos', [photo('p1', 'n1'), photo('p2', 'n2')]],
    ['noteLocationAreas', [record('n1'), record('n2')]],
    ['own', [{ ...draft, _meta: { lwt: 1 } }]],
  ]
  const sealed = new Map<string, Row[]>()
  for (const [name, rows] of stored) sealed.set(name, await codecOf(storeOf(name), KEY).encode(rows))
  const facts = ['p1', 'p2'].map((key) => ({ key, cached: 1, putAt: 1 }))
  for (const rows of [new Map<string, Row[]>(stored), sealed]) {
    const stays = whatStays(new Map<string, readonly object[]>([...rows, ['bytes', facts]]) as Stored, {
      drafts: 0,
      bytes: 0,
    })
    const keysOf = (name: string) => [...(stays.get(name) ?? [])]
    expect([keysOf('photos'), keysOf('noteLocationAreas'), keysOf('bytes')]).toEqual([['p1'], ['n1'], []])
  }
})

test('no collection has a field of the name that sealed parts lie under; facts are of ids only', () => {
  for (const name of names) expect(Object.keys(rxSchemas[name].properties)).not.toContain(SEALED)
  const of = { resource: 'quickReports', recordKey: 'r-1', state: 'waiting' }
  expect(clearFacts('changes', { ...of, fields: { note: '秘密' }, userId: 'u' })).toEqual(of)
  expect(clearFacts('quickReports', { history: [{ value: '秘密' }] })).toEqual({})
})
