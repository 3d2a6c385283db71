/** What can be read of a phone's stores: through a page, of the browser's own cache, and in the files of its profile. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type Crm, expect } from './phone.ts'

/**
 * Where a text lies, by store: `IndexedDB database store`, `cache address`, `storage name`. Bytes are read as text.
 * One line for each row, so that it can be counted.
 */
export async function found(page: Page, text: string): Promise<string[]> {
  return page.evaluate(async (canary) => {
    const done = <T>(asked: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        asked.addEventListener('success', () => resolve(asked.result))
        asked.addEventListener('error', () => reject(asked.error ?? new Error('IndexedDB')))
      })
    const textOf = (value: unknown): string =>
      JSON.stringify(value, (_, each: unknown) =>
        each instanceof ArrayBuffer ? new TextDecoder('latin1').decode(each) : each,
      ) ?? ''
    const where: string[] = []
    for (const { name = '', version } of await indexedDB.databases()) {
      const db = await done(indexedDB.open(name, version))
      for (const store of db.objectStoreNames) {
        const rows = await done(db.transaction(store).objectStore(store).getAll())
        for (const row of rows) {
          const written = textOf(row)
          if (written.includes(canary)) where.push(`${name} ${store}`)
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
        if ((await (await cache.match(request))?.text())?.includes(canary)) where.push(`cache ${request.url}`)
    }
    return where
  }, text)
}

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

/** Raw files of the profile with a text, in either encoding: LevelDB keeps deleted text until it compacts. */
export function inProfile(profile: string, text: string): number {
  const wanted = [Buffer.from(text, 'latin1'), Buffer.from(text, 'utf16le')]
  const files = readdirSync(profile, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  return files.filter((file) => {
    const bytes = readFileSync(join(file.parentPath, file.name))
    return wanted.some((each) => bytes.includes(each))
  }).length
}
