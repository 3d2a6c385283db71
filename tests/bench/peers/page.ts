/**
 * One of the compared databases on a page of its own: `peers.html?peer=dexie`. Only its own code is loaded. The suite fills it
 * in one page and measures in others, as a device opens what another day has written.
 */
import { afterPaint } from '#lib/time/user-timing.ts'
import type { Doc, Filter, OpenedPeer, Peer, Row } from './peer.ts'

const PEERS: Record<string, () => Promise<{ peer: Peer }>> = {
  idb: () => import('./idb.ts'),
  genba: () => import('./genba.ts'),
  dexie: () => import('./dexie.ts'),
  rxdb: () => import('./rxdb.ts'),
  pouchdb: () => import('./pouchdb.ts'),
  tinybase: () => import('./tinybase.ts'),
  sqlite: () => import('./sqlite.ts'),
}

const asked = new URLSearchParams(location.search)
const load = async (): Promise<Peer> => {
  const peer = PEERS[asked.get('peer') ?? '']
  if (!peer) throw new Error(`no such peer: ${asked.get('peer')}`)
  return (await peer()).peer
}

let opened: OpenedPeer

/** Draws the rows as the floor's page does, and resolves when they are painted. */
const painted = (rows: readonly Row[]) =>
  new Promise<void>((resolve) => {
    const items = rows.map(({ key, locationName }) => {
      const item = document.createElement('article')
      item.textContent = `${key} ${locationName}`
      return item
    })
    document.body.replaceChildren(...items)
    afterPaint(resolve)
  })

/** @returns milliseconds from the navigation to 50 painted rows */
async function start(from: string): Promise<number> {
  opened = await (await load()).open()
  const rows = await opened.first(from)
  await painted(rows)
  if (rows.length === 0) throw new Error('no rows')
  return performance.now()
}

async function search(filter: Filter): Promise<{ ms: number; count: number }> {
  const begin = performance.now()
  const { count } = await opened.search(filter)
  return { ms: performance.now() - begin, count }
}

/** Milliseconds until a write is done, and until a list of 50 rows that is looked at has been told of it. */
async function writes(from: string, times: number): Promise<{ write: number[]; live: number[] }> {
  let hear: (rows: readonly Row[]) => void = () => undefined
  await opened.watch(from, (rows) => hear(rows))
  const found = { write: [] as number[], live: [] as number[] }
  const rows = await opened.first(from)
  for (const [n, row] of rows.slice(0, times).entries()) {
    const name = `${row.locationName} ${n + 1}`
    const begin = performance.now()
    const heard = new Promise<void>((resolve) => {
      hear = (now) => {
        if (now.some(({ key, locationName }) => key === row.key && locationName === name)) resolve()
      }
    })
    await Promise.all([
      heard.then(() => found.live.push(performance.now() - begin)),
      opened.write(row.key, name).then(() => found.write.push(performance.now() - begin)),
    ])
  }
  return found
}

async function fill(count: number): Promise<number> {
  const { docs } = await import('./docs.ts')
  const all: Doc[] = docs(count)
  const peer = await load()
  const begin = performance.now()
  await peer.fill(all)
  return performance.now() - begin
}

Object.assign(window, { peers: { fill, start, search, writes } })
