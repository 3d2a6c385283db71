/** Own code of the service worker, before Workbox's (.build/worker-code.ts): migration of stores, `POST /share`. */
import { movedCollections, rxSchemas } from '#schemas/collections/collections.ts'
import { steps } from '#schemas/migrations/steps.ts'
import { codecOfStores } from '#data/encryption/sealed-rows.ts'
import { UNLOCKED_KEYS_CHANNEL, unlockedKeys, openKeyStore } from '#data/encryption/stored-keys.ts'
import { deviceStore, isLockSet } from '#app/config/device-values.ts'
import { createErrorLog, messageOf } from '#app/diagnostics/error-log.ts'
import { MIGRATE, CHECK_LAYOUT, type Migrated } from './messages.ts'
import { migrateAll, rehearseAll, layoutOfAll } from './stored-data.ts'
import { openReceivedStore } from '#data/received/received-store.ts'
import { receive } from '#data/received/receive.ts'
import { leftText, type LeftPhotos } from '#lib/received-left.ts'

const PATIENCE_MS = 10_000

interface Lasting extends Event {
  waitUntil(done: Promise<unknown>): void
}

interface Installing extends Lasting {
  /** Missing in Chrome before 123 and in other browsers. */
  addRoutes?(rule: { condition: { requestDestination: string }; source: 'network' }): Promise<void>
}

/** Lets `fetch` calls bypass the worker: Chrome could wait half a minute for the last before a new version. */
const DATA_ROUTE = { condition: { requestDestination: '' }, source: 'network' } as const
const device = deviceStore()

const parts = {
  indexedDB,
  ranges: IDBKeyRange,
  locks: navigator.locks,
  room: navigator.storage,
  layout: { schemas: rxSchemas, migrations: steps },
  durable: movedCollections,
  codecFor: async (stores: string) => {
    const channel = new BroadcastChannel(UNLOCKED_KEYS_CHANNEL)
    try {
      // If a screen lock is set, only the memory of an open page has the keys.
      const keys = unlockedKeys(openKeyStore(), { isLockSet: () => isLockSet(device), channel, gives: false })
      return await codecOfStores(keys, (error) => void report(error))(stores)
    } finally {
      channel.close()
    }
  },
}

/** Logs a problem, unless the last entry of the log is the same, because each check for a new version may repeat it. */
async function report(problem: unknown): Promise<void> {
  const log = createErrorLog({ now: Date.now, session: () => null, screen: () => '/sw.js', scope: '' })
  const last = (await log.read()).findLast(({ screen }) => screen === '/sw.js')
  if (last?.message !== messageOf(problem)) await log.add(problem)
}

async function rehearsed(): Promise<void> {
  try {
    await rehearseAll(parts)
  } catch (error) {
    await report(error)
    throw error
  }
}

async function migrated(): Promise<Migrated> {
  try {
    await migrateAll(parts, PATIENCE_MS)
    return { ok: true }
  } catch (error) {
    await report(error)
    return { ok: false, why: error instanceof Error ? error.name : String(error) }
  }
}

addEventListener('install', (event) => {
  const installing = event as Installing
  const routed = installing.addRoutes?.(DATA_ROUTE).catch(() => undefined)
  installing.waitUntil(Promise.all([rehearsed(), routed]))
})
addEventListener('message', (event) => {
  const { data, ports } = event as MessageEvent<{ type?: unknown } | null>
  const answer = (work: Promise<unknown>) =>
    (event as Event as Lasting).waitUntil(work.then((answered) => ports[0]?.postMessage(answered)))
  if (data?.type === CHECK_LAYOUT) answer(layoutOfAll(parts).catch(() => 'same'))
  if (data?.type === MIGRATE) answer(migrated())
})
answerShares((error) => void report(error))

const SHARE = '/share'
const FIELD = 'photos'

interface Fetching extends Event {
  readonly request: Request
  respondWith(answer: Promise<Response>): void
}

/** @param report called with errors of reading or storing photos */
export function answerShares(report: (problem: unknown) => void): void {
  const parts = {
    store: openReceivedStore(),
    now: Date.now,
    newId: () => crypto.randomUUID(),
    room: navigator.storage,
    report,
  }
  const left = async (request: Request): Promise<LeftPhotos[]> => {
    try {
      const files = (await request.formData()).getAll(FIELD).filter((entry) => entry instanceof File)
      return await receive(files, parts)
    } catch (error) {
      report(error)
      return [{ why: 'failed', n: 0 }]
    }
  }
  addEventListener('fetch', (event) => {
    const fetching = event as Fetching
    const { request } = fetching
    const { origin, pathname } = new URL(request.url)
    if (request.method !== 'POST' || origin !== location.origin || pathname !== SHARE) return
    fetching.respondWith(left(request).then(toScreen))
  })
}

function toScreen(left: readonly LeftPhotos[]): Response {
  const query = left.length > 0 ? `?${new URLSearchParams({ left: leftText(left) }).toString()}` : ''
  return Response.redirect(`${SHARE}${query}`, 303)
}
