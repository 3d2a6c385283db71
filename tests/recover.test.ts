/** `npm run recover`: what lies under a forgotten password, opened with the operator's key, and a clear word where it is not. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { storeValues } from '#data/drafts/drafts.ts'
import { bundleOf } from '#data/locked/bundle.ts'
import { allLocked } from '#data/locked/locked-rows.ts'
import { storesName } from '#data/database/database-name.ts'
import { recoveryKeyOf, withRecovery } from '#data/encryption/recovery.ts'
import { seal } from '#data/encryption/seal.ts'
import { placeOfRow } from '#data/encryption/sealed-rows.ts'
import type { StoredKey } from '#data/encryption/stored-keys.ts'
import { freshKey, usableKey } from '#data/encryption/wrap.ts'
import { leaveUnsentOnly } from '#data/user-stores/user-stores.ts'
import { lockedOf } from './support/locked-data.ts'
import { take } from './support/photos.ts'
import { recoveryPair } from './support/recovery-pair.ts'
import { enter, nth, todayScene } from './support/replication.ts'
import { sealedBy, sealerOf } from './support/seal-keys.ts'

const app = todayScene()
const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'genba-recover-'))
afterAll(() => rmSync(folder, { recursive: true }))

const LIMIT_MS = 120_000
const [pair, other] = [recoveryPair(), recoveryPair()]
const TYPED = '打ちかけの内容'

/** A phone with an entry, a draft and a photo under a password that nobody knows. */
async function bundleOfPhone() {
  const raw = freshKey()
  const KEY = { id: 'k-1', key: await usableKey(raw) }
  app.phone.storageOptions = sealedBy(sealerOf(KEY))
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  await enter(device, request)
  await storeValues(device.db, 'emergencyReport/add/r-1', { text: TYPED })
  const photo = await take(device, 'IMG_秘密.jpg', 1)
  const bytes = await device.bytes.get(photo)
  const { name: stores } = device.db
  await app.close(device)
  const { indexedDB } = app.phone.storage
  await leaveUnsentOnly(indexedDB, stores, { drafts: 0, bytes: 0 })
  const recovery = await recoveryKeyOf(pair.publicKey)
  const empty = new ArrayBuffer(0)
  const kept: StoredKey = { id: 'k-1', wrapped: { salt: empty, rounds: 1, bytes: empty } }
  const keys = [{ ...kept, ...(await withRecovery(recovery, kept, raw)) }]
  const about = { user: stores.replace(/-k1$/, ''), made: '2026-11-20T03:00:00.000Z', app: '1.2.3' }
  const before = await lockedOf(indexedDB, stores)
  const text = await (await bundleOf(allLocked(indexedDB, [stores]), { ...about, keys })).text()
  expect(await lockedOf(indexedDB, stores)).toEqual(before)
  const without = await (await bundleOf(allLocked(indexedDB, [stores]), { ...about, keys: [kept] })).text()
  return { text, without, request, photo, bytes }
}

const HOSTILE = '\u001B[2J\u009B31m\u202E甲\u200B\u0007乙'
const DRIVES_A_TERMINAL = /(?!\n)[\p{Cc}\p{Cf}]/u

/** By somebody who has the public key alone: it opens like any other. */
async function forgedBundle(): Promise<string> {
  const raw = freshKey()
  const by = await recoveryKeyOf(pair.publicKey)
  const empty = new ArrayBuffer(0)
  const stored: StoredKey = { id: 'k-f', wrapped: { salt: empty, rounds: 1, bytes: empty } }
  const key = { id: 'k-f', key: await usableKey(raw) }
  const clear = { _deleted: false, key: HOSTILE }
  const place = placeOfRow(
    { database: storesName('genba-u', key.id), collection: 'noteLocationAreas', version: 0 },
    clear,
  )
  const sealed = await seal(key, place, new TextEncoder().encode(JSON.stringify({ note: HOSTILE })))
  async function* rows() {
    const collection = 'noteLocationAreas'
    const row = { ...clear, sealed }
    yield await Promise.resolve({ collection, version: 0, key: HOSTILE, row })
  }
  const keys = [{ ...stored, ...(await withRecovery(by, stored, raw)) }]
  return (await bundleOf(rows(), { user: 'genba-u', made: HOSTILE.slice(0, 9), app: '1.2.3', keys })).text()
}

test(
  '[SV8a] entry, draft and photo are opened by the private key; another key, a cut file, another version and no bundle are told',
  async () => {
    const { text, without, request, photo, bytes } = await bundleOfPhone()
    for (const secret of [TYPED, 'IMG_秘密', request.requestCode]) expect(text).not.toContain(secret)
    // what no recovery key opens is not given away
    expect(without.trim().split('\n')).toHaveLength(2)
    const file = (name: string, content: string) => {
      writeFileSync(join(folder, name), content)
      return join(folder, name)
    }
    const key = file('key.pem', pair.pem)
    const run = (script: string, ...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, script), ...args], {
        encoding: 'utf8',
      })
      return [status, stdout + stderr] as const
    }
    // the command bundles the reader and runs it; from then on the reader alone
    const recover = (...args: string[]) => run('node_modules/.cache/recover/main.mjs', ...args)
    const [status, said] = run('tests/recover/recover.mjs', file('whole.txt', text), key)
    expect([status, said]).toEqual([0, expect.stringContaining('写真 1枚')])
    const opened = join(folder, 'whole-opened')
    const records = readFileSync(join(opened, 'records.json'), 'utf8')
    expect(said).toContain('だれが作ったかは、確かめられません')
    for (const secret of [TYPED, 'IMG_秘密.jpg', photo, '"sender": "unproven"'])
      expect(records).toContain(secret)
    const { records: all } = JSON.parse(records) as { records: { collection: string; document: object }[] }
    const report = all.find(({ collection }) => collection === 'changes')
    expect(report?.document).toMatchObject({ state: 'waiting', requestId: request.id })
    const [name = ''] = readdirSync(join(opened, 'photos'))
    expect(readFileSync(join(opened, 'photos', name))).toEqual(Buffer.from(bytes ?? new ArrayBuffer(0)))

    const forged = await forgedBundle()
    const [, saidOfForged] = recover(file('forged.txt', forged), key)
    const forgedRecords = readFileSync(join(folder, 'forged-opened', 'records.json'), 'utf8')
    expect(saidOfForged).toContain('だれが作ったかは、確かめられません')
    for (const shown of [saidOfForged, forgedRecords]) expect(shown).not.toMatch(DRIVES_A_TERMINAL)
    expect(JSON.parse(forgedRecords)).toMatchObject({
      records: [{ document: { note: HOSTILE, key: HOSTILE } }],
    })

    const lines = text.trim().split('\n')
    const swapped = text.replace(/"key":"[^"]+","clear"/, '"key":"another","clear"')
    expect(recover(join(folder, 'whole.txt'), key)).toEqual([1, expect.stringContaining('もうあります')])
    const cases: [name: string, content: string, pem: string, said: string][] = [
      ['cut.txt', lines.slice(0, -1).join('\n'), pair.pem, '途中で切れています'],
      ['half.txt', text.slice(0, text.length / 2), pair.pem, '途中で切れています'],
      ['lost.txt', lines.toSpliced(1, 1).join('\n'), pair.pem, '途中で切れています'],
      ['other.txt', text, other.pem, '別の鍵'],
      ['version.txt', text.replace('"version":1', '"version":2'), pair.pem, '版 2'],
      ['none.txt', '<html>', pair.pem, '封印したままのファイルではありません'],
      ['no-key.txt', text, 'x', '秘密鍵'],
      ['swapped.txt', swapped, pair.pem, '壊れていて開けないもの 1件'],
    ]
    for (const [at, content, pem, expected] of cases)
      expect([at, ...recover(file(at, content), file('this.pem', pem))]).toEqual([
        at,
        1,
        expect.stringContaining(expected),
      ])
    const hostileHead = forged.replaceAll(/"by":"[^"]+"/g, () => `"by":${JSON.stringify(HOSTILE)}`)
    const [, saidOfHead] = recover(file('hostile.txt', hostileHead), key)
    expect(saidOfHead).toContain('別の鍵で開くファイルです')
    expect(saidOfHead).not.toMatch(DRIVES_A_TERMINAL)
    expect(recover()).toEqual([1, expect.stringContaining('使い方')])
  },
  LIMIT_MS,
)
