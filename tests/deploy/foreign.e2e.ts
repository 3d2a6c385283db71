/**
 * [decisions/hosting] The CRM and the file store behind the real nginx and the real Caddy attack with headers and
 * documents.
 */
import type { Page } from '@playwright/test'
import { FOREIGN_HEADERS, FOREIGN_PASSED } from '#build/content-policy.ts'
import { expect, freeRequest, readyForOffline, registerEntry, reportsOf, unsentEntry } from '../e2e/phone.ts'
import { ACTING_HEADERS } from '../support/acting-headers.ts'
import { hasModule } from './host.ts'
import { KINDS, REDIRECTS, UNKNOWN_HEADER } from './hostile.ts'
import { test } from './on-host.ts'

/** What a browser may ask for, but data: Fetch, 2.2.5 `destination`. */
const DESTINATIONS =
  'document iframe frame embed object script module worker sharedworker serviceworker audioworklet paintworklet style image font audio video track manifest xslt report json speculationrules webidentity fencedframe'.split(
    ' ',
  )
const UPSTREAMS = ['/api', '/doccloud', '/otlp']
const lowered = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
const OWN = { ...lowered(FOREIGN_HEADERS), 'strict-transport-security': 'max-age=31536000' }
/** Those of the connection, and the one by which Caddy says that it speaks HTTP/3 itself. */
const OF_SERVER = ['server', 'connection', 'keep-alive', 'transfer-encoding', 'alt-svc']

for (const server of ['nginx', 'caddy'] as const)
  test.describe(server, () => {
    test.use({ server })

    test('no header of theirs acts: what is not on the list does not pass', async ({ host }) => {
      host.hostile.isOn = true
      const paths = [
        '/api/check',
        '/api/v1/crm-rest/spa/request/search',
        ...REDIRECTS.map((each) => `/api/evil/${each}`),
      ]
      for (const path of [...paths, ...UPSTREAMS.map((each) => `${each}/evil/page`)]) {
        const { headers } = await host.ask(path, { 'sec-fetch-dest': 'empty' })
        expect(headers, path).toMatchObject(OWN)
        const passed = FOREIGN_PASSED.map((name) => name.toLowerCase())
        const unlisted = Object.keys(headers).filter(
          (name) => !passed.includes(name) && !(name in OWN) && !OF_SERVER.includes(name),
        )
        // plain nginx drops what it knows by name
        expect(
          unlisted.filter((name) => name !== UNKNOWN_HEADER || hasModule(server, 'http-js')),
          path,
        ).toEqual([])
        for (const [name, value] of Object.entries(ACTING_HEADERS))
          expect([path, name, headers[name.toLowerCase()]]).not.toEqual([path, name, value])
      }
    })

    test('what a browser asks for as anything but data is refused, and does not reach them', async ({
      host,
    }) => {
      for (const upstream of UPSTREAMS) {
        for (const destination of DESTINATIONS) {
          const answer = await host.ask(`${upstream}/evil/page`, { 'sec-fetch-dest': destination })
          expect([upstream, destination, answer.status]).toEqual([upstream, destination, 403])
          expect(answer.headers).toMatchObject(OWN)
        }
        expect(host.hostile.reached).toEqual([])
        // no browser that the app runs in: it is answered, and what it gets is nothing that runs
        expect((await host.ask(`${upstream}/evil/page`)).headers).toMatchObject(OWN)
        host.hostile.reached.length = 0
      }
    })

    test('in Chromium nothing runs, nothing is registered, nothing is deleted, and the app goes on', async ({
      host,
      crm,
      phone,
      violations,
    }) => {
      // more than a hundred documents, one after the other
      test.slow()
      const { page } = phone
      const row = await unsentEntry(crm, phone)
      host.hostile.isOn = true
      const before = await storesOf(page)
      // data that the page itself reads, with all that it may send along
      await page.evaluate(() =>
        fetch('/doccloud/evil/last', { credentials: 'include', cache: 'reload' }).then((each) => each.text()),
      )
      const addresses = [...KINDS, ...REDIRECTS].map((kind) => `/api/evil/${kind}`)
      const tryAll = async () => {
        for (const address of addresses) {
          await open(phone.context.newPage(), address)
          await open(phone.context.newPage(), address.replace('/api', '/doccloud'))
          await page.evaluate(plantAll, address)
        }
        // what would have run has reported by the time that this, asked for later, is answered
        await page.evaluate(() => fetch('/api/evil/last', { cache: 'reload' }).then((each) => each.text()))
      }
      await tryAll()
      expect(host.hostile.reached.filter((kind) => kind !== 'last')).toEqual([])
      // and once they are in the browser's own cache, as data that the page has read
      const statuses = await page.evaluate(
        (all) =>
          Promise.all(
            all.map((each) => fetch(each).then(({ status, url }) => [new URL(url).pathname, status])),
          ),
        addresses,
      )
      expect(statuses).toEqual(
        addresses.map((each) => [each, Number(/redirect\/(\d+)/.exec(each)?.[1] ?? 200)]),
      )
      await tryAll()
      expect(host.hostile.ran).toEqual([])
      const scripts = () =>
        navigator.serviceWorker
          .getRegistrations()
          .then((all) => all.map(({ scope, active }) => [scope, active?.scriptURL]))
      expect(await page.evaluate(scripts)).toEqual([[`${host.url}/`, `${host.url}/sw.js`]])
      expect(await storesOf(page)).toEqual(before)
      expect(await page.evaluate(() => document.cookie)).toBe('')
      // the policy of the page has refused each of its own accord
      expect(violations.filter((said) => /script-src|worker-src/.test(said)).length).toBeGreaterThan(
        KINDS.length,
      )
      violations.length = 0

      await crm.faults([])
      await page.goto('/request')
      await expect.poll(async () => (await reportsOf(crm, row)).length, { timeout: 60_000 }).toBe(1)
      expect(phone.errors).toEqual([])
    })

    test('[C16] a note with a photo arrives at a file store that demands all that the contract says', async ({
      host,
      crm,
      phone,
    }) => {
      const { page } = phone
      host.hostile.isOn = true
      await phone.signIn()
      const row = await freeRequest(crm)
      await readyForOffline(page)
      const list = new URLSearchParams({ type: '1', requestId: row.id, workingDate: row.workingDate })
      await page.goto(`/noteLocationArea/${row.ttsOrder.locationArea.id}?${list.toString()}`)
      await page.getByRole('link', { name: '追加' }).click()
      const buffer = Buffer.from(PIXEL, 'base64')
      await page.getByLabel('写真を追加').setInputFiles({ name: 'lid.png', mimeType: 'image/png', buffer })
      await expect(page.getByRole('button', { name: /を削除$/ })).toBeVisible()
      await page.getByLabel('メモ').fill('試験で書いた、ふたのメモです。')
      await page.getByRole('button', { name: '保存' }).click()
      const uploads = async () =>
        (await crm.calls()).filter(({ path, status }) => path.includes('files/upload') && status === 200)
          .length
      await expect.poll(uploads, { timeout: 60_000 }).toBe(1)
      // and comes back
      await expect(page.getByRole('article').filter({ hasText: '試験で書いた、ふた' })).not.toContainText(
        '待機',
      )
      await page.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
      await registerEntry(page)
      await expect.poll(async () => (await reportsOf(crm, row)).length).toBe(1)
    })
  })

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

async function open(opening: Promise<Page>, address: string): Promise<void> {
  const tab = await opening
  // where it becomes a download there is no page
  await tab.goto(address, { waitUntil: 'load' }).catch(() => undefined)
  await tab.close()
}

/** What the device holds, by its names and the number of rows. */
const storesOf = (page: Page) =>
  page.evaluate(async () => {
    const names = (await indexedDB.databases())
      .map(({ name = '' }) => name)
      .toSorted((a, b) => a.localeCompare(b))
    return { names, session: localStorage.length > 0, caches: (await caches.keys()).length > 0 }
  })

/** Runs in the page: each element and call that would make something of the address. */
async function plantAll(address: string): Promise<void> {
  const place = document.createElement('div')
  document.body.append(place)
  const elements: [tag: string, field: string, more?: object][] = [
    ['link', 'href', { rel: 'stylesheet' }],
    ['link', 'href', { rel: 'modulepreload' }],
    ['img', 'src'],
    ['iframe', 'src'],
    ['embed', 'src'],
    ['object', 'data'],
  ]
  const ended = elements.map(([tag, field, more]) => {
    const element = document.createElement(tag)
    const over = new Promise((done) => {
      element.addEventListener('load', done)
      element.addEventListener('error', done)
      // what the policy refuses ends without either in some elements
      document.addEventListener('securitypolicyviolation', done, { once: true })
    })
    try {
      Object.assign(element, more, { [field]: address })
    } catch {
      return null
    }
    place.append(element)
    return over
  })
  const tried = (run: () => unknown) =>
    Promise.resolve()
      .then(run)
      .catch(() => undefined)
  await Promise.all([
    ...ended,
    tried(() => import(/* @vite-ignore */ address)),
    tried(() => new Worker(address)),
    tried(() => new Worker(address, { type: 'module' })),
    tried(() => navigator.serviceWorker.register(address, { scope: '/' })),
    tried(() => {
      const policies = (
        window as unknown as {
          trustedTypes: {
            createPolicy(name: string, rules: object): { createScriptURL(text: string): never }
          }
        }
      ).trustedTypes
      const policy = ['default', 'genba-own-scripts', 'planted'].reduce<ReturnType<
        typeof policies.createPolicy
      > | null>((made, name) => {
        try {
          return made ?? policies.createPolicy(name, { createScriptURL: (text: string) => text })
        } catch {
          return made
        }
      }, null)
      if (!policy) throw new Error('no policy')
      return navigator.serviceWorker.register(policy.createScriptURL(address), { scope: '/' })
    }),
  ])
  place.remove()
}
