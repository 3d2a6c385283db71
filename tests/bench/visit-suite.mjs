/**
 * A first visit on Slow 4G (1.6 Mbit/s, 150 ms there and back), CPU 4 times slowed: from the address of the login to its form,
 * and from the tap on ログイン to a list that answers; what its user types is not counted. The connection is slow before the
 * server, so that the service worker's own fetches take their part of it. The floor is the static page over the same connection.
 */
import { join, resolve } from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { chromium } from '@playwright/test'
import { measured, slowPage, tap } from './device.mjs'
import { limited } from './report.mjs'
import { startBenchServer } from './server.mjs'
import { startSlowLink } from './slow-link.mjs'
import { usableAt, watchUsable } from './usable.mjs'

const SLOW = 4
const LINK = { bytesPerSecond: 200_000, latencyMs: 150 }
const LIMIT_MS = 5_000
const TARGETS = { form: ['button', 'ログイン'], list: ['main a', 'R26-'] }

/** Where the demo CRM is, as a build with the demo's values has it. */
export const CRM_ENV = {
  apiEndpoint: '/api/v1',
  crmEndpoint: 'crm',
  securityEndpoint: 'security',
  securityKey: 'demo-key',
  fileStoreEndpoint: '/doccloud',
}

/** @param runnerImport of Vite @returns the demo CRM, as a middleware */
export async function crmOf(runnerImport) {
  const load = async (name) =>
    (await runnerImport(join(resolve(import.meta.dirname, '../../src/demo-crm'), name))).module
  const [{ demoCrmMiddleware }, { createDemoCrm }, { createMemoryStore }] = await Promise.all(
    ['node-host.ts', 'demo-crm.ts', 'world/store.ts'].map(load),
  )
  const crm = createDemoCrm({ env: CRM_ENV, store: createMemoryStore(), now: Date.now, daysAhead: () => 14 })
  return demoCrmMiddleware(crm)
}

/** A phone that has never been here. */
async function withPhone(options, work) {
  const profile = mkdtempSync(join(tmpdir(), 'genba-bench-'))
  const context = await chromium.launchPersistentContext(profile, options)
  context.setDefaultTimeout(90_000)
  try {
    return await work(context)
  } finally {
    await context.close()
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function visit(context, link) {
  const { page } = await slowPage(context, SLOW)
  await page.addInitScript(watchUsable, TARGETS)
  const before = link.carried()
  await page.goto(`http://localhost:${link.port}/login`)
  const form = await usableAt(page, 'form')
  await page.getByLabel('ユーザー名').fill('demo6')
  await page.getByLabel('パスワード', { exact: true }).fill('password')
  const tapped = await page.evaluate(() => performance.now())
  await tap(page, page.getByRole('button', { name: 'ログイン', exact: true }))
  const list = await usableAt(page, 'list')
  return { ms: form + list - tapped, form, bytes: link.carried() - before }
}

async function floorOf(context, link) {
  const { page } = await slowPage(context, SLOW)
  await page.goto(`http://localhost:${link.port}/floor.html`)
  return measured(page, 'floor:rows')
}

/** @param parts.launch what the browser is started with @param parts.runnerImport of Vite */
export async function visitSuite(folder, { launch, runnerImport, rounds }) {
  const crm = await crmOf(runnerImport)
  const server = await startBenchServer({ folder, rows: [], latencyMs: 0, compressed: true, crm })
  const link = await startSlowLink(server.port, LINK)
  const times = { app: [], form: [], floor: [], kilobytes: [] }
  try {
    for (let round = 0; round < rounds; round++) {
      times.floor.push(await withPhone(launch, (context) => floorOf(context, link)))
      const { ms, form, bytes } = await withPhone(launch, (context) => visit(context, link))
      times.app.push(ms)
      times.form.push(form)
      times.kilobytes.push(bytes / 1_000)
    }
  } finally {
    link.close()
    server.close()
  }
  const floor = times.floor.toSorted((a, b) => a - b)[Math.floor(rounds / 2)]
  const where = 'first visit on Slow 4G (1.6 Mbit/s, 150 ms), CPU 4× slowed'
  return [
    limited({
      id: 'visit',
      what: `${where}: login and list usable, without what is typed (floor: 20 static cards over the same connection)`,
      values: times.app,
      floor,
      limit: LIMIT_MS,
    }),
    limited({
      id: 'visit-form',
      what: 'of it, to the form of the login',
      values: times.form,
      limit: LIMIT_MS,
    }),
    withoutTarget(
      limited({
        id: 'visit-bytes',
        what: 'carried until then by that connection, the service worker and the answers of the CRM with it',
        values: times.kilobytes,
        limit: 1,
        unit: 'kB',
      }),
    ),
  ]
}

/** `npm run size` has the limit of it. */
const withoutTarget = ({ id, what, unit, median, p95 }) => ({ id, what, unit, median, p95 })
