/** What the next start shows first: what was kept, only where all says that it still holds (decisions 0020, 0105). */
import { IDBFactory } from 'fake-indexeddb'
import { createStore, get } from 'idb-keyval'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { KeptRoot } from '#app/kept-root.ts'
import { takeFirstList } from '#app/first-rows.ts'
import { createFirstList } from '#app/first-list-store.ts'
import { openKeptStart } from '#app/kept-start.ts'
import { rowsKey, sealedRows } from '#app/sealed-first-rows.ts'
import { openSessions } from '#app/session-store.ts'
import { halfDay } from '#lib/tokyo-time.ts'
import type { LockState } from '#data/app-context.tsx'
import type { FirstList } from '#data/first-list.ts'
import type { Session } from '#schemas/session.ts'
import { testSession, testValue } from '../../support/render-feature.tsx'

const LIST = { today: '2026-11-20' }
const NAME = 'genba:first-rows'

const kept = () => ({
  build: null as string | null,
  half: halfDay(Date.now()),
  user: testSession.userInfo.id,
  rows: { nodes: [['p', {}, ['前に見た一覧']]], list: LIST },
})

/** What the app is told of it. */
const toldOf = ({ list = LIST as unknown, isSealed = false } = {}) => {
  const { half, user, rows } = kept()
  return { user, half, isSealed, nodes: rows.nodes, list }
}

beforeEach(async () => {
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  localStorage.clear()
  history.replaceState(null, '', '/request')
  document.body.innerHTML = '<div id="root"></div>'
  await (await openSessions('')).write(testSession)
})
afterEach(() => vi.unstubAllGlobals())

/** The script of the page. @returns what it has left at the root */
async function start(): Promise<{ shell: string | undefined; text: string; kept: unknown }> {
  vi.resetModules()
  await import('#app/first-paint.ts')
  const root = document.getElementById('root') as KeptRoot
  await vi.waitFor(() => expect(root.dataset['shell']).toMatch(/rows|frame/))
  return { shell: root.dataset['shell'], text: root.textContent, kept: root.kept }
}

/** @returns lets what was asked of it so far be answered, and a factory that opens nothing before */
function lateDatabase(): [() => Promise<void>, Pick<IDBFactory, 'open'>] {
  const factory = indexedDB
  const waiting: (() => Promise<void>)[] = []
  const open = (name: string) => {
    const request = new EventTarget()
    const go = () =>
      new Promise<void>((resolve) => {
        const opening = factory.open(name)
        opening.addEventListener('success', () => {
          request.dispatchEvent(new Event('success'))
          resolve()
        })
        Object.defineProperty(request, 'result', { get: () => opening.result })
      })
    waiting.push(go)
    return request as IDBOpenDBRequest
  }
  return [async () => void (await Promise.all(waiting.map((go) => go()))), { open }]
}
/** The script of the page, whose database takes its time. */
async function startLate() {
  const [answer, late] = lateDatabase()
  vi.stubGlobal('indexedDB', late)
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const starting = start()
  await vi.waitFor(() => expect(document.getElementById('root')?.dataset['shell']).toBe('asking'))
  return { starting, answer }
}
const FRAME = { shell: 'frame', text: '', kept: undefined }

test('[decision 0105] what was kept stands there, with what it was drawn of', async () => {
  const device = openKeptStart('')
  await device.keep(device.turn(), kept(), null)
  expect(await start()).toEqual({ shell: 'rows', text: '前に見た一覧', kept: toldOf() })
})

test('[0075] under a key it lies sealed, opens with what lies beside the session, and with nothing else', async () => {
  const device = openKeptStart('')
  const keepUnder = async (key: CryptoKey) =>
    device.keep(device.turn(), { ...kept(), rows: await sealedRows(key, kept().rows) }, key)
  await keepUnder(await device.key())
  const first = localStorage.getItem(NAME) ?? ''
  expect(first).toContain('"user":"u6"')
  expect(first).not.toContain('前に見た一覧')
  expect(await start()).toEqual({ shell: 'rows', text: '前に見た一覧', kept: toldOf({ isSealed: true }) })
  await keepUnder(await rowsKey())
  localStorage.setItem(NAME, first)
  document.body.innerHTML = '<div id="root"></div>'
  expect(await start()).toEqual(FRAME)
})

test('[0075] a page that starts while the list is kept anew shows the one of before: only what answers must be of now', async () => {
  const device = openKeptStart('')
  const keepNow = async () => {
    const key = await device.key()
    await device.keep(device.turn(), { ...kept(), rows: await sealedRows(key, kept().rows) }, key)
  }
  await keepNow()
  const before = localStorage.getItem(NAME) ?? ''
  await keepNow()
  localStorage.setItem(NAME, before)
  expect(await start()).toEqual({
    shell: 'rows',
    text: '前に見た一覧',
    kept: toldOf({ isSealed: true, list: null }),
  })
})

test('[0075] once it was dropped, and where it was dropped meanwhile, nothing that opens it stays beside the session', async () => {
  const device = openKeptStart('')
  const beside = () => get('first-rows', createStore('genba-device', 'values'))
  await device.keep(device.turn(), kept(), await rowsKey())
  expect(await beside()).toMatchObject({ key: { extractable: false } })
  device.drop()
  await vi.waitFor(async () => expect(await beside()).toBeUndefined())
  const keeping = device.keep(device.turn(), kept(), await rowsKey())
  device.drop()
  await keeping
  await vi.waitFor(async () => expect(await beside()).toBeUndefined())
})

test('[decision 0020] a database that takes its time: the frame stands meanwhile, and then the rows in its place', async () => {
  const device = openKeptStart('')
  await device.keep(device.turn(), kept(), null)
  localStorage.setItem('genba:shell', 'u6')
  document.body.insertAdjacentHTML('beforeend', '<template id="shell-app"><p>枠</p></template>')
  try {
    const { starting, answer } = await startLate()
    vi.advanceTimersByTime(3_000)
    expect(document.getElementById('root')?.textContent).toBe('枠')
    void answer()
    expect(await starting).toMatchObject({ shell: 'rows', text: '前に見た一覧' })
    vi.runAllTimers()
    expect(document.getElementById('root')?.textContent).toBe('前に見た一覧')
  } finally {
    vi.useRealTimers()
  }
})

test('[decision 0020] a database that never answers: the frame, and nothing of the rows afterwards', async () => {
  const device = openKeptStart('')
  await device.keep(device.turn(), kept(), null)
  try {
    const { starting, answer } = await startLate()
    vi.runAllTimers()
    expect(await starting).toEqual(FRAME)
    await answer()
    expect(document.getElementById('root')?.dataset['shell']).toBe('frame')
  } finally {
    vi.useRealTimers()
  }
})

test.each<[string, (device: ReturnType<typeof openKeptStart>) => unknown]>([
  ['something is about to be written', (device) => device.drop()],
  ['another tab writes', () => openKeptStart('').drop()],
  [
    'another user is signed in',
    async () =>
      (await openSessions('')).write({ ...testSession, userInfo: { ...testSession.userInfo, id: 'u7' } }),
  ],
  ['nobody is', async () => (await openSessions('')).clear()],
  [
    'another build starts',
    (device) => device.keep(device.turn(), { ...kept(), build: '/assets/index-1.js' }, null),
  ],
  ['it is of another half of the day', (device) => device.keep(device.turn(), { ...kept(), half: 1 }, null)],
])('[decision 0105] %s: the next start shows the frame', async (_, happens) => {
  const device = openKeptStart('')
  await device.keep(device.turn(), kept(), null)
  await happens(device)
  expect(await start()).toEqual(FRAME)
})

test('[decision 0105] the browser was killed, and has lost that localStorage was cleared: nothing is drawn of the list', async () => {
  const device = openKeptStart('')
  await device.keep(device.turn(), kept(), null)
  const text = localStorage.getItem(NAME)
  device.drop()
  localStorage.setItem(NAME, text ?? '')
  expect(await start()).toEqual({ shell: 'rows', text: '前に見た一覧', kept: toldOf({ list: null }) })
})

test('[decision 0105] what was begun before something was written is not kept', async () => {
  const device = openKeptStart('')
  const begun = device.turn()
  device.drop()
  await device.keep(begun, kept(), null)
  expect(await start()).toEqual(FRAME)
})

test('[decision 0115] what lies there as it is need not be written again; what is another, of another half of the day or to be sealed, must', async () => {
  const { user: _, ...first } = toldOf()
  await openKeptStart('').keep(0, kept(), null)
  const device = openKeptStart('', first)
  expect(device.has({ ...first, list: { ...LIST } })).toBe(true)
  expect(device.has({ ...first, list: { today: '2026-11-21' } })).toBe(false)
  expect(device.has({ ...first, nodes: [] })).toBe(false)
  expect(device.has({ ...first, half: 'another' })).toBe(false)
  expect(device.has({ ...first, isSealed: true })).toBe(false)
  // another tab is about to write
  openKeptStart('').drop()
  expect(device.has(first)).toBe(false)
  const next = { ...first, nodes: [] }
  await device.keep(device.turn(), kept(), null, next)
  expect([device.has(first), device.has(next)]).toEqual([false, true])
  device.drop()
  await openKeptStart('').keep(0, kept(), null)
  expect(device.has(next)).toBe(false)
})

test('[decision 0115] a start whose list tells what it was drawn of writes nothing', async () => {
  const list = { today: '2026-11-20', carried: null, counted: [0, false], visits: [] }
  const rows = { ...kept().rows, list }
  await openKeptStart('').keep(0, { ...kept(), rows }, null)
  await start()
  const first = takeFirstList(document.getElementById('root') as KeptRoot)
  const { half } = kept()
  expect(openKeptStart('', first?.kept).has({ half, isSealed: false, ...rows })).toBe(true)
})

test('[decision 0105] nothing of the list of another CRM is shown', async () => {
  const device = openKeptStart('west')
  await device.keep(device.turn(), kept(), null)
  expect(await start()).toEqual(FRAME)
})

test.each<[string, (session: Value<Session | null>, lock: Value<LockState>) => void]>([
  ['a logout', (session) => session.set(null)],
  ['another user', (session) => session.set(of('u7'))],
  ['a lock', (_, lock) => lock.set('locked')],
])('[decision 0105] %s takes away what is drawn before the database is open', (_, happens) => {
  const [session, lock] = [testValue<Session | null>(testSession), testValue<LockState>('open')]
  const list = {} as FirstList
  const firstList = createFirstList({ user: 'u6', list, kept: toldOf() }, session, lock)
  expect(firstList.get()).toBe(list)
  happens(session, lock)
  expect(firstList.get()).toBeNull()
})

test('[SV4] who has signed in since the first paint is not shown the list of the one before', () => {
  const first = { user: 'u6', list: {} as FirstList, kept: toldOf() }
  const none = createFirstList(first, testValue<Session | null>(of('u7')), testValue<LockState>('open'))
  expect(none.get()).toBeNull()
  expect(
    createFirstList(first, testValue<Session | null>(null), testValue<LockState>('open')).get(),
  ).toBeNull()
})

type Value<T> = ReturnType<typeof testValue<T>>
const of = (id: string): Session => ({ ...testSession, userInfo: { ...testSession.userInfo, id } })
