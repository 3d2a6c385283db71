/** What can be read of a phone's stores: through a page, of the browser's own cache, and in the files of its profile. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Page } from '@playwright/test'
import { type Crm, expect } from './phone.ts'

/** Of the demo's users. */
const PASSWORD = 'password'

/**
 * Where a text lies, by store: `IndexedDB database store`, `cache address`, `storage name`. Bytes are read as text.
 * One line for each row, so that it can be counted. What is sealed is opened with the user's password, as nobody else can:
 * what is not found so is not there.
 */
export const found = (page: Page, text: string): Promise<string[]> => search(page, text, PASSWORD)

/** The same for who does not know the password. */
export const readable = (page: Page, text: string): Promise<string[]> => search(page, text, null)

const search = (page: Page, text: string, password: string | null): Promise<string[]> =>
  page.evaluate(
    async ([canary, secret]) => {
      const done = <T>(asked: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          asked.addEventListener('success', () => resolve(asked.result))
          asked.addEventListener('error', () => reject(asked.error ?? new Error('IndexedDB')))
        })
      /** Null where it went since it was listed: a look makes none, which no page could use afterwards. */
      const openThere = async (name: string) => {
        const opening = indexedDB.open(name)
        let isNew = false
        opening.addEventListener('upgradeneeded', () => {
          isNew = true
          opening.transaction?.abort()
        })
        return done(opening).catch((error: unknown) => {
          if (isNew) return null
          throw error
        })
      }
      const utf8 = (value: string) => new TextEncoder().encode(value)
      const decrypt = (key: CryptoKey, additionalData: BufferSource, bytes: ArrayBuffer) =>
        crypto.subtle.decrypt(
          { name: 'AES-GCM', iv: bytes.slice(0, 12), additionalData },
          key,
          bytes.slice(12),
        )
      interface Stored {
        keys: { id: string; wrapped: { salt: ArrayBuffer; rounds: number; bytes: ArrayBuffer } }[]
      }
      /** Each is derived once in a page: it takes its time. */
      const known = ((globalThis as { openedKeys?: Map<string, CryptoKey> }).openedKeys ??= new Map())
      const opened = secret === null ? new Map<string, CryptoKey>() : known
      const databases = await indexedDB.databases()
      if (secret !== null && databases.some(({ name }) => name === 'genba-keys')) {
        const db = await openThere('genba-keys')
        const users = (await done(db!.transaction('users').objectStore('users').getAll())) as Stored[]
        db!.close()
        for (const { id, wrapped } of users.flatMap(({ keys }) => keys)) {
          if (opened.has(id)) continue
          const from = await crypto.subtle.importKey('raw', utf8(secret), 'PBKDF2', false, ['deriveKey'])
          const kek = await crypto.subtle.deriveKey(
            { name: 'PBKDF2', hash: 'SHA-256', salt: wrapped.salt, iterations: wrapped.rounds },
            from,
            { name: 'AES-GCM', length: 256 },
            false,
            ['decrypt'],
          )
          const raw = await decrypt(kek, utf8(`genba-key ${id}`), wrapped.bytes)
          opened.set(id, await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt']))
        }
      }
      /** Of the pair that shared photos are sealed for (src/data/received/received-keys.ts). */
      const placeOfPair = (pair: unknown) => {
        const { user, publicKey } = pair as { user: string; publicKey: ArrayBuffer }
        return [user, 'received', new Uint8Array(publicKey).join()]
      }
      /** Every sealed value in it becomes the text of what it is. */
      const unsealed = async (value: unknown, place: (field: string) => string[]): Promise<unknown> => {
        const at = async (field: string, each: unknown): Promise<unknown> => {
          const { key: id, bytes } = Object(each) as { key?: unknown; bytes?: unknown }
          const key = opened.get(String(id))
          // who a key is of lies sealed beside it
          if (!key || !(bytes instanceof ArrayBuffer) || field === 'who') return each
          const data = utf8(JSON.stringify(field === 'privateKey' ? placeOfPair(value) : place(field)))
          return new TextDecoder().decode(await decrypt(key, data, bytes))
        }
        if (typeof value !== 'object' || value === null) return value
        const fields = Object.entries(value).map(async ([name, each]) => [name, await at(name, each)])
        return Object.fromEntries((await Promise.all(fields)) as [string, unknown][])
      }
      const textOf = (value: unknown): string =>
        JSON.stringify(value, (_, each: unknown) =>
          each instanceof ArrayBuffer ? new TextDecoder('latin1').decode(each) : each,
        ) ?? ''
      const where: string[] = []
      for (const { name = '' } of databases) {
        const db = await openThere(name)
        if (!db) continue
        const user = name.replace(/^rxdb-dexie-|^(?=genba-)/, '').replace(/--.*|(?<=genba-)[a-z]+-/, '')
        for (const store of db.objectStoreNames) {
          const table = db.transaction(store).objectStore(store)
          const [keys, rows] = await Promise.all([done(table.getAllKeys()), done(table.getAll())])
          for (const [at, row] of rows.entries()) {
            const { sealed: _, ...clear } = Object(row) as Record<string, unknown>
            const [, version, collection] = name.split('--')
            const place = (field: string) =>
              field === 'sealed' && collection !== undefined
                ? [user, collection, JSON.stringify([Number(version), clear])]
                : [user, field === 'sealed' ? 'answers' : field, keys[at] as string]
            if (textOf(await unsealed(row, place)).includes(canary)) where.push(`${name} ${store}`)
          }
        }
        db.close()
      }
      for (const storage of [localStorage, sessionStorage])
        for (const [name, value] of Object.entries(storage))
          if (String(value).includes(canary)) where.push(`storage ${name}`)
      for (const name of await caches.keys()) {
        const cache = await caches.open(name)
        for (const request of await cache.keys())
          if ((await (await cache.match(request))?.text())?.includes(canary))
            where.push(`cache ${request.url}`)
      }
      return where
    },
    [text, password] as const,
  )

/** What the browser itself has kept of the API's answers. */
export async function inHttpCache(page: Page, crm: Crm): Promise<string[]> {
  const paths = [
    ...new Set((await crm.calls()).filter(({ method }) => method === 'GET').map(({ path }) => path)),
  ]
  expect(paths.length).toBeGreaterThan(50)
  return page.evaluate(async (all) => {
    const isKept = async (path: string) =>
      fetch(path, { cache: 'only-if-cached', mode: 'same-origin' }).then(
        ({ ok }) => ok,
        () => false,
      )
    const kept = await Promise.all(all.map(isKept))
    return all.filter((_, at) => kept[at])
  }, paths)
}

/** Rows of a database of the app's own, as JSON says them; a usable key is the text `CryptoKey`. */
const rowsOf = (page: Page, database: string, store: string): Promise<unknown[]> =>
  page.evaluate(
    async ([name, table]) => {
      const done = <T>(asked: IDBRequest<T>) =>
        new Promise<T>((resolve, reject) => {
          asked.addEventListener('success', () => resolve(asked.result))
          asked.addEventListener('error', () => reject(asked.error ?? new Error('IndexedDB')))
        })
      const db = await done(indexedDB.open(name))
      const rows: unknown[] = await done(db.transaction(table).objectStore(table).getAll())
      db.close()
      const plain = JSON.stringify(rows, (_, each: unknown) =>
        each instanceof CryptoKey ? 'CryptoKey' : each,
      )
      return JSON.parse(plain) as unknown[]
    },
    [database, store] as const,
  )

/** How many of the keys on the disk open anything. */
export const usableKeys = async (page: Page): Promise<number> =>
  JSON.stringify(await rowsOf(page, 'genba-keys', 'users')).split('"CryptoKey"').length - 1

/** Access and refresh token of whoever is signed in, as they lie on the disk. */
export async function tokensOn(page: Page): Promise<string[]> {
  const values = (await rowsOf(page, 'genba-device', 'values')).map(Object) as Record<string, unknown>[]
  const session = values.find(({ accessToken }) => accessToken)
  const tokens = [session?.['accessToken'], session?.['refreshToken']].filter(
    (token) => typeof token === 'string',
  )
  if (tokens.length < 2) throw new Error('nobody is signed in')
  return tokens
}

/** Where a token lies while somebody is signed in, and nowhere else (decisions/encryption). */
export const TOKENS_AT = ['genba-device values']

/** Raw files of the profile with a text, in either encoding: LevelDB keeps deleted text until it compacts. */
export function inProfile(profile: string, text: string): string[] {
  const wanted = [Buffer.from(text, 'utf8'), Buffer.from(text, 'utf16le')]
  const files = readdirSync(profile, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  return files
    .map((file) => join(file.parentPath, file.name))
    .filter((path) => wanted.some((each) => readFileSync(path).includes(each)))
}

/** The same, but for the files of IndexedDB: what a logout has deleted there stays until the browser compacts them. */
export const besideIndexedDb = (profile: string, text: string): string[] =>
  inProfile(profile, text).filter((path) => !path.includes(`${sep}IndexedDB${sep}`))
