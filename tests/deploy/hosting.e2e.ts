/** The real nginx and the real Caddy under deploy/: every header, deep links, what is not there, a roll-out and back. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { FOREIGN_HEADERS, headersFor, headersOfCodeReader } from '#build/content-policy.ts'
import { expect, freeRequest, readyForOffline, registerEntry, reportsOf } from '../e2e/phone.ts'
import { hasModule, type Host } from './host.ts'
import { test } from './on-host.ts'
import { nextBuild } from './releases.ts'

const dist = resolve(import.meta.dirname, '../../dist')
const script = readdirSync(join(dist, 'assets')).find((name) => /^index-.*\.js$/.test(name)) ?? ''
const codeReader = readdirSync(join(dist, 'assets')).find((name) => /^code-worker-.*\.js$/.test(name)) ?? ''
/** The entry is too small to be compressed. */
const packedScript =
  readdirSync(join(dist, 'assets'))
    .find((name) => name.endsWith('.js.br'))
    ?.slice(0, -3) ?? ''
const page = readFileSync(join(dist, 'index.html'), 'utf8')
const lowered = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
const SAFE = { ...lowered(headersFor(page)), 'strict-transport-security': 'max-age=31536000' }
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** A worker takes over when the one before has nothing to do any more. */
const WORKER_MS = 60_000

const offer = (on: Page) => on.getByText('新しい版があります。')
const version = async (host: Host) =>
  (JSON.parse((await host.ask('/version.json')).body.toString()) as { version: string }).version

for (const server of ['nginx', 'caddy'] as const)
  test.describe(server, () => {
    test.use({ server })

    test('[decisions/hosting] every answer carries the headers of this build, and says how long it may be kept', async ({
      host,
    }) => {
      host.configure({ appName: 'ピット点検' })
      const answers: [path: string, status: number, cache: string | undefined][] = [
        ['/', 200, 'no-cache'],
        ['/index.html', 200, 'no-cache'],
        ['/request/abc.def?workingDate=2026-11-20', 200, 'no-cache'],
        ['/sw.js', 200, 'no-cache'],
        ['/version.json', 200, 'no-cache'],
        ['/config.json', 200, 'no-cache'],
        ['/manifest.webmanifest', 200, 'no-cache'],
        ['/icon-192.png', 200, 'no-cache'],
        [`/assets/${script}`, 200, IMMUTABLE],
        ['/healthz', 200, 'no-store'],
        ['/assets/index-gone.js', 404, 'no-store'],
        ['/assets/', 404, 'no-store'],
        ['/assets/deep/link', 404, 'no-store'],
        ['/robots.txt', 404, 'no-store'],
        ['/.git/config', 404, 'no-store'],
        ['/index.js.map', 404, 'no-store'],
        ['/server/nginx.conf/../../key.pem', 200, 'no-cache'],
      ]
      for (const [path, status, cache] of answers) {
        const answer = await host.ask(path)
        expect({ path, status: answer.status, cache: answer.headers['cache-control'] }).toEqual({
          path,
          status,
          cache,
        })
        expect(answer.headers, path).toMatchObject(SAFE)
        expect(String(answer.headers['server'] ?? ''), path).not.toMatch(/\d/)
        if (status === 404) expect(answer.body.toString(), path).not.toContain('<div id="root">')
      }
      expect((await host.ask('/server/nginx.conf/../../key.pem')).body.toString()).not.toContain(
        'PRIVATE KEY',
      )
      expect((await host.ask('/', {}, 'POST')).status).toBe(405)
      // what a phone shares is for the app's worker alone
      const shared = await host.ask('/share', { 'content-type': 'multipart/form-data; boundary=b' }, 'POST')
      expect([shared.status, shared.headers.location]).toEqual([303, '/share?left=worker-0'])
      expect(shared.headers).toMatchObject(SAFE)
      expect((await host.ask('/share?left=worker-0')).body.toString()).toBe(page)
      const reader = await host.ask(`/assets/${codeReader}`)
      expect(reader.headers).toMatchObject({
        ...lowered(headersOfCodeReader(headersFor(page))),
        'strict-transport-security': 'max-age=31536000',
        'cache-control': IMMUTABLE,
      })
    })

    test('[decisions/hosting] no process that speaks with everybody is root’s', ({ host }) => {
      const users = host.servedBy()
      expect(users.length).toBeGreaterThan(0)
      expect(users).not.toContain(0)
    })

    test('[decisions/hosting] a deep link is the app, a file has its type, and both come as the build compressed them', async ({
      host,
    }) => {
      const deep = await host.ask('/quickReport/add/qr-1')
      expect([deep.body.toString(), deep.headers['content-type']]).toEqual([page, 'text/html; charset=utf-8'])
      const code = readFileSync(join(dist, 'assets', packedScript))
      const packed = {
        ...(hasModule(server, 'brotli-static') && { br: brotliDecompressSync }),
        gzip: gunzipSync,
      }
      for (const [encoding, unpack] of Object.entries(packed)) {
        const answer = await host.ask(`/assets/${packedScript}`, { 'accept-encoding': encoding })
        expect(answer.headers).toMatchObject({
          'content-encoding': encoding,
          'content-type': expect.stringMatching(/^(?:text|application)\/javascript; charset=utf-8$/),
          vary: expect.stringMatching(/accept-encoding/i),
          'cache-control': IMMUTABLE,
        })
        expect(unpack(answer.body).equals(code)).toBe(true)
      }
      const start = await host.ask('/request', { 'accept-encoding': 'gzip, deflate, br' })
      const [best, unpack = gunzipSync] = Object.entries(packed)[0] ?? []
      expect(start.headers['content-encoding']).toBe(best)
      expect(unpack(start.body).toString()).toBe(page)
      const again = await host.ask('/', { 'if-none-match': String((await host.ask('/')).headers['etag']) })
      expect(again.status).toBe(304)
      expect((await host.ask('/manifest.webmanifest')).headers['content-type']).toMatch(
        /^application\/manifest\+json/,
      )
    })

    test('[decisions/hosting] HTTP leads to HTTPS; the CRM is behind it with its own answers, and a dead one is said at once', async ({
      host,
      request,
    }) => {
      const plain = await request.get(`${host.httpUrl}/request?a=1`, { maxRedirects: 0 })
      expect([301, 308]).toContain(plain.status())
      expect(plain.headers()['location']).toBe(`${host.url}/request?a=1`)
      const refused = await host.ask('/api/v1/crm-rest/spa/request/search')
      expect(refused.status).toBe(401)
      expect(refused.headers).toMatchObject(lowered(FOREIGN_HEADERS))
      const check = await host.ask('/api/check')
      expect([200, 204]).toContain(check.status)
      expect((await host.ask('/doccloud/openapp/v1/folders/index/1')).status).toBe(401)
    })

    test('[decisions/telemetry] the figures of the fleet reach the collector as it wants them, without the address of the phone', async ({
      host,
    }) => {
      const answer = await host.ask('/otlp/v1/metrics', { 'content-type': 'application/json' }, 'POST')
      expect(answer.status).toBe(200)
      const [call] = host.collected
      expect(call?.path).toBe('/v1/metrics')
      expect(JSON.stringify(call?.headers)).not.toMatch(/forwarded-for|real-ip/i)
    })

    test('[decisions/hosting] a release that is none, or does not fit the server, changes nothing', async ({
      host,
    }) => {
      const release = nextBuild('9.9.9')
      expect(() => host.genba('put', join(release.folder, 'dist'))).toThrow()
      writeFileSync(join(release.folder, 'dist-about/headers.nginx'), 'add_header broken;\n')
      writeFileSync(join(release.folder, 'dist-about/headers.caddy'), '(genba_headers) {\n')
      expect(() => host.genba('put', release.folder)).toThrow()
      release.remove()
      expect(await version(host)).toBe('1.0.0')
      expect(host.genba('list')).toMatch(/^\* 0\.1\.0-\w+\n$/)
    })

    test('[decisions/hosting][PWA] a roll-out under an open tab, and the way back: the tab goes on, its work arrives', async ({
      host,
      crm,
      phone,
    }) => {
      await phone.signIn()
      const row = await freeRequest(crm)
      await readyForOffline(phone.page)
      const release = nextBuild('9.9.9')
      host.configure({ minimumVersion: '9.9.9' })
      const policy = (await host.ask('/')).headers['content-security-policy']
      host.genba('put', release.folder)
      release.remove()
      await expect.poll(() => version(host)).toBe('9.9.9')
      const next = await host.ask('/')
      expect(policy).toContain('sha256-')
      expect(next.headers['content-security-policy']).not.toBe(policy)
      expect(next.headers).toMatchObject(lowered(headersFor(next.body.toString())))
      // code of the release before, for a tab that has no worker yet
      expect((await host.ask(`/assets/${script}`)).status).toBe(200)

      await phone.page.getByRole('link', { name: new RegExp(row.requestCode) }).click()
      await registerEntry(phone.page)
      await expect.poll(async () => (await reportsOf(crm, row)).length).toBe(1)
      await phone.page.goto('/settings')
      await expect(phone.page.getByText('1.0.0', { exact: true })).toBeVisible()
      await expect(phone.page.getByText('この版は古くなりました。更新してください。')).toBeVisible()
      await phone.page.getByRole('button', { name: '更新する' }).click()
      await expect(phone.page.getByText('9.9.9', { exact: true })).toBeVisible({ timeout: WORKER_MS })

      host.genba('back')
      await expect.poll(() => version(host)).toBe('1.0.0')
      expect((await host.ask('/')).headers['content-security-policy']).toBe(policy)
      await phone.page.reload()
      await expect(offer(phone.page)).toBeVisible()
      await phone.page.getByRole('button', { name: '更新する' }).click()
      await expect(phone.page.getByText('1.0.0', { exact: true })).toBeVisible({ timeout: WORKER_MS })
      expect(await reportsOf(crm, row)).toHaveLength(1)
      expect(phone.errors).toEqual([])
    })
  })

test('[decisions/config] config.json is kept for offline, no page takes its place, and another CRM gets nothing of this one', async ({
  host,
  crm,
  phone,
}) => {
  const called: string[] = []
  phone.context.on('request', (each) => {
    const { pathname } = new URL(each.url())
    if (pathname.startsWith('/api/') && !pathname.includes('check')) called.push(pathname.slice(0, 9))
  })
  const { page: screen } = phone
  const one = { appName: 'ピット点検', crmId: 'one' }
  host.configure(one)
  await phone.signIn()
  const row = await freeRequest(crm)
  await readyForOffline(screen)
  await expect(screen).toHaveTitle('依頼検索 | ピット点検')
  await phone.offline(true)
  await screen.goto('/settings')
  await expect(screen).toHaveTitle('設定 | ピット点検')
  await phone.offline(false)
  host.spoilConfig('<!doctype html><title>Wi-Fi</title>')
  const asked = screen.waitForResponse(/config\.json$/)
  await screen.reload()
  await asked
  await screen.reload()
  await expect(screen).toHaveTitle('設定 | ピット点検')

  await crm.faults([{ id: 'silent', kind: 'unreachable', path: '.', count: 'always' }])
  await screen.goto(`/request/${row.id}?workingDate=${row.workingDate}`)
  await registerEntry(screen)
  host.configure({ ...one, crmId: 'two', apiEndpoint: '/api/v9' })
  await screen.goto('/settings')
  await expect(screen.getByText(/接続先が変わりました.*未送信 1件の送信が終わるまで/)).toBeVisible()
  // the start that would take it finds what is unsent, and goes on with the CRM that it is for
  await screen.reload()
  await expect(screen.getByText(/前の接続先に未送信の内容/)).toBeVisible()
  await crm.faults([])
  await expect.poll(async () => (await reportsOf(crm, row)).length, { timeout: 40_000 }).toBe(1)
  expect(called).not.toContain('/api/v9/c')

  called.length = 0
  await screen.getByRole('button', { name: '切り替える' }).click()
  await expect(screen.getByRole('heading', { name: 'ログイン' })).toBeVisible()
  const stores = await screen.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
  // those of the device: of the user and the CRM before not even a name
  const ofDevice = ['device', 'diagnostics', 'keys', 'received'].map((name) => `genba-${name}`)
  expect(stores.filter((name) => !ofDevice.includes(name ?? ''))).toEqual([])
  await screen.getByLabel('ユーザー名').fill('demo6')
  await screen.getByLabel('パスワード').fill('password')
  called.length = 0
  await screen.getByRole('button', { name: 'ログイン' }).click()
  await expect.poll(() => [...new Set(called)]).toEqual(['/api/v9/c'])
})
