/** What a finder of the phone can read: every store through a page, after a logout, and after another user. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { APIRequestContext, Page } from '@playwright/test'
import { type Crm, expect, freeRequest, readyForOffline, registerEntry, reportsOf, test } from './phone.ts'

const CANARY = 'CANARYofTheFirst'
const TYPED = '打ちかけの内容'

const plant = async (request: APIRequestContext, text: string) =>
  void (await request.post('/__demo/canary', { data: text, headers: { 'content-type': 'text/plain' } }))

/** Where the canary lies, by store: IndexedDB, caches, local and session storage. Bytes are read as text. */
async function found(page: Page, text: string): Promise<string[]> {
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
async function inHttpCache(page: Page, crm: Crm): Promise<string[]> {
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

const signOut = async (page: Page) => {
  await page.goto('/logout')
  const login = page.getByRole('heading', { name: 'ログイン', exact: true })
  const yes = page.getByRole('button', { name: 'はい' })
  // it asks where something stays behind
  await expect(login.or(yes)).toBeVisible()
  if (await yes.isVisible()) await yes.click()
  await expect(login).toBeVisible()
}
const nothing = (page: Page) =>
  expect.poll(async () => (await found(page, CANARY)).join('\n'), { timeout: 25_000 }).toBe('')

/** Raw files of the profile with the canary, in either encoding: LevelDB keeps deleted text until it compacts. */
function inProfile(profile: string): number {
  const wanted = [Buffer.from(CANARY, 'latin1'), Buffer.from(CANARY, 'utf16le')]
  const files = readdirSync(profile, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  return files.filter((file) => {
    const bytes = readFileSync(join(file.parentPath, file.name))
    return wanted.some((each) => bytes.includes(each))
  }).length
}

test('[EX6] logged out, nothing of the CRM is in any store; what is unsent and the draft are there again for their user, and go', async ({
  crm,
  phone,
  request,
}) => {
  await plant(request, CANARY)
  await phone.signIn()
  const { page } = phone
  await readyForOffline(page)
  await expect.poll(async () => (await found(page, CANARY)).length).toBeGreaterThan(100)
  const row = await freeRequest(crm)
  await crm.faults([
    { id: 'down', kind: 'status', status: 503, path: 'quickReport/$', method: 'POST', count: 'always' },
  ])
  await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await registerEntry(page)
  await page.getByRole('link', { name: '緊急報告' }).click()
  await page.getByRole('link', { name: '新規登録' }).click()
  await page.getByLabel('緊急内容詳細').fill(TYPED)
  await expect.poll(async () => (await found(page, TYPED)).length).toBeGreaterThan(0)
  const draft = page.url()
  expect(await inHttpCache(page, crm)).toEqual([])

  await signOut(page)
  await nothing(page)
  expect(await inHttpCache(page, crm)).toEqual([])
  await page.reload()
  expect(await found(page, CANARY)).toEqual([])

  // another user, to whom nothing of it is shown
  await plant(request, '')
  await phone.signIn('demo5')
  await readyForOffline(page)
  await expect(page.getByRole('link', { name: /未送信/ })).toHaveCount(0)
  expect(await found(page, CANARY)).toEqual([])
  expect((await found(page, TYPED)).length).toBeGreaterThan(0)
  await signOut(page)

  await crm.faults([])
  await phone.signIn('demo6')
  await expect.poll(async () => (await reportsOf(crm, row)).length).toBe(1)
  await page.goto(draft)
  await expect(page.getByLabel('緊急内容詳細')).toHaveValue(TYPED)
  await phone.context.close()
  console.log(`raw files of the profile with the canary: ${inProfile(phone.profile)}`)
})

for (const flag of [1, 2, 3, 4, 9])
  test(`[spec 6] who may not enter (userFlag ${flag}) gets no data, on no screen`, async ({ crm, phone }) => {
    const { page } = phone
    await phone.signIn(`demo${flag}`)
    const before = (await crm.calls()).length
    const paths = [
      '/',
      '/request',
      '/request/r1',
      '/outbox',
      '/settings',
      '/emergencyReport/1',
      '/report/1',
      '/error-logs',
    ]
    for (const path of paths) await page.goto(path)
    await page.waitForLoadState('networkidle')
    expect((await crm.calls()).slice(before)).toEqual([])
    const names = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
    expect(names.filter((name) => /rxdb|photos|answers/.test(name ?? ''))).toEqual([])
  })
