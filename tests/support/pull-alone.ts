/** The pull of requests alone: what it gives is written by nobody, and the CRM answers when the test says so. */
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import type { Outcome } from '#sync/transport/outcome.ts'
import { fetchRequestAnswerer } from '#sync/storage/database.ts'
import type { PullServices } from '#sync/pull/engine/work.ts'
import { RequestPull } from '#sync/pull/requests/pull-requests.ts'
import type { Query } from '#sync/scheduler/api.ts'
import { openDatabase } from '#data/database/database.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import { until } from './device.ts'
import { alone } from './pull-parts.ts'
import { NOW, TODAY } from './replication.ts'

const TOTAL = 220

export const rowAt = (n: number) => ({
  id: `r${n}`,
  requestCode: `R26-${n}`,
  workingDate: TODAY,
  ttsOrder: { locationArea: { id: 'a', name: 'A棟' } },
})
export const page = (offset: number): Outcome => ({
  kind: 'accepted',
  status: 200,
  body: Array.from({ length: Math.min(50, TOTAL - offset + 1) }, (_, i) => rowAt(offset + i)),
  total: TOTAL,
})

export async function pullAlone() {
  const db = await openDatabase({
    name: 'pages',
    storage: createStorage({ indexedDB: new IDBFactory(), IDBKeyRange }),
    multiInstance: false,
  })
  const waiting = new Map<string, (outcome: Outcome) => void>()
  const asked: string[] = []
  const read = (path: string, query: Query = {}) =>
    new Promise<Outcome>((resolve) => {
      const call = path === 'request/search' ? `${query['offset']}` : path
      asked.push(call)
      waiting.set(call, resolve)
    })
  const write = () => Promise.reject(new Error('a pull writes nothing'))
  let stamps = 0
  const services: PullServices = {
    db,
    ...alone(),
    api: { read, fresh: { read }, write, accepted: () => 0 },
    clock: {
      now: () => NOW,
      expiryNow: () => NOW,
      stamp: () => `${NOW}-${String((stamps += 1)).padStart(4, '0')}-x`,
    },
    report: () => undefined,
    accepted: () => 0,
    answer: fetchRequestAnswerer(db, { now: () => NOW }),
    pacer: { grant: () => true, pauseStartedAt: () => '' },
  }
  const pull = new RequestPull(services, 's')
  const answer = async (call: string, outcome: Outcome) => {
    await until(() => waiting.has(call))
    waiting.get(call)?.(outcome)
    waiting.delete(call)
  }
  return { db, pull, asked, answer }
}
