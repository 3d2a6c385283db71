/** SQLite-WASM, asked by messages: its worker, its code and its file are what a cold open waits for. */
import type { SqliteAnswer, SqliteCall } from './sqlite-worker.ts'
import { rowOf, type OpenedPeer, type Peer } from './peer.ts'

type Question = SqliteCall extends infer Call ? (Call extends SqliteCall ? Omit<Call, 'id'> : never) : never

function start() {
  const worker = new Worker(new URL('./sqlite-worker.ts', import.meta.url), { type: 'module' })
  const open = new Map<number, (answer: SqliteAnswer) => void>()
  worker.addEventListener('message', ({ data }: MessageEvent<SqliteAnswer>) => {
    open.get(data.id)?.(data)
    open.delete(data.id)
  })
  worker.addEventListener('error', ({ message }) => {
    throw new Error(`sqlite: ${message}`)
  })
  let calls = 0
  const ask = (question: Question) =>
    new Promise<SqliteAnswer>((resolve) => {
      const id = (calls += 1)
      open.set(id, resolve)
      worker.postMessage({ ...question, id })
    })
  return { ask, stop: () => worker.terminate() }
}

export const peer: Peer = {
  async fill(docs) {
    const { ask, stop } = start()
    await ask({ kind: 'fill', docs })
    stop()
  },
  open: async () => opened(start().ask),
}

function opened(ask: (question: Question) => Promise<SqliteAnswer>): OpenedPeer {
  const watchers = new Set<() => Promise<void>>()
  const first = async (from: string) => (await ask({ kind: 'first', from })).rows.map(rowOf)
  return {
    first,
    search: (filter) => ask({ kind: 'search', filter }),
    async write(key, locationName) {
      await ask({ kind: 'write', key, locationName })
      // it has no live queries: who writes tells
      for (const look of watchers) void look()
    },
    async watch(from, tell) {
      const look = async () => tell(await first(from))
      await look()
      watchers.add(look)
    },
  }
}
