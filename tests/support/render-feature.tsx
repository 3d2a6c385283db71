/**
 * Renders a screen or a form as the app does: texts, services, the user's database, a router. Nothing of ours is
 * mocked: the database is the real one on an IndexedDB in memory, the services are small but whole.
 *
 *     const { user, router, db, services } = await renderFeature(<OutboxScreen />, { path: '/outbox' })
 */
import { I18nProvider } from '@lingui/react'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  parseSearchWith,
  RouterProvider,
  stringifySearchWith,
  type RegisteredRouter,
} from '@tanstack/react-router'
import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import {
  ServicesContext,
  type FrameProps,
  type Services,
  type UserData,
  type UpdateOffer,
  type LockControl,
  type LockState,
  type PasskeyState,
  type LockedData,
} from '#data/context/app-context.tsx'
import { openDatabase, type Database } from '#data/database/database.ts'
import { createFlashStore } from '#data/context/flash-store.ts'
import { openPhotoBytes, type PhotoBytesTable } from '#data/photos/photo-bytes.ts'
import { createStorage } from '#data/storage/create-storage.ts'
import type { LockAfter } from '#lib/browser/screen-lock.ts'
import { createPhotoJobs } from '#lib/image/photo-jobs.ts'
import { createClock } from '#lib/time/stamp.ts'
import { PressGuardContext } from '#ui/base/press-guard.ts'
import { i18n } from './i18n.ts'
import { fakeImages } from './image-files.ts'
import { Opened, openedData } from './opened-data.tsx'
import { routes } from './routes.ts'
import { afterThisTest } from './undo.ts'
import { PLAIN } from './plain-sealer.ts'

/** The day of the pictures: Friday, 2026-11-20, 12:00 in Tokyo. */
const NOW = Date.parse('2026-11-20T12:00:00+09:00')

type WithoutSlash<P> = P extends `${infer Part extends `/${string}`}/` ? Part : P
type Path = WithoutSlash<keyof RegisteredRouter['routesByPath']>
/** Of every route, without what its file says of its frame and its resource: /_app/(quick-report)/quickReport/$id_/edit. */
const PATHS = [
  ...new Set(
    Object.keys(routes)
      .filter((id) => id !== '__root__' && id !== '/_app')
      .map((id) => id.replace(/^\/_app|\/\([^)]+\)|_(?=\/)|(?<=.)\/$/g, '')),
  ),
] as Path[]

interface RenderOptions {
  /** Where the screen stands; other paths show 別の画面. */
  path?: Path
  /** The address, where it is not the path itself: parameters, query. */
  href?: string
  services?: Partial<Services>
  /** From `openTestDatabase`; without it the user's data is not open. */
  db?: Database
  /** The photos of an earlier render of this database: the page was killed. */
  bytes?: PhotoBytesTable | null
  /** What is sealed under a password of before; nothing. */
  lockedData?: LockedData
  /** Given to userEvent under fake timers. */
  advanceTimers?: (ms: number) => void
  /** How long a sheet takes no press; none, unless a test is about it. */
  pressGuardMs?: number
}

/** A user's database of its own, empty. */
export async function openTestDatabase(): Promise<Database> {
  const db = await openDatabase({
    name: `test-${crypto.randomUUID()}`,
    storage: createStorage({ indexedDB: new IDBFactory(), IDBKeyRange }),
    multiInstance: false,
  })
  afterThisTest(() => db.close())
  // Opened first, so that a screen has its records before a test presses anything.
  await Promise.all(Object.values(db.collections).map((collection) => collection.count().exec()))
  return db
}

/** A value that screens see change. */
export function testValue<T>(initial: T) {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next: T) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export const testSession = {
  accessToken: 'access',
  refreshToken: 'refresh',
  userInfo: { id: 'u6', supplierStaffId: 's6', supplierId: 'p1', userFlag: 6, loginUserName: '大西 修' },
  userName: 'demo6',
  expired: false,
}

/** The device's clock, set to what `now` says. */
export function testClock(now: () => number): Services['clock'] {
  let stamp: string | null = null
  const memory = { get: () => stamp, set: (next: string) => void (stamp = next) }
  return createClock({ now, device: 'test', memory })
}

/** Photos are made ready as in the app, with a browser that draws nothing. */
export function testPhoto(over: Partial<Services['photo']> = {}): Services['photo'] {
  const jobs = createPhotoJobs(fakeImages().images)
  return {
    maxMb: 10,
    place: async () => '',
    jobs: async () => jobs,
    original: testValue(false),
    ...over,
  }
}

export function testAfter(after: LockAfter): LockControl['after'] {
  const value = testValue<LockAfter>(after)
  return { ...value, set: async (next) => value.set(next) }
}

/** A screen without a lock. */
export function testLock(
  over: Partial<LockControl> = {},
): Services['lock'] & { control(): Promise<LockControl> } {
  const control: LockControl = {
    after: testAfter('off'),
    passkey: testValue<PasskeyState | null>('none'),
    addPasskey: vi.fn<LockControl['addPasskey']>(async () => 'set'),
    removePasskey: vi.fn<LockControl['removePasskey']>(async () => undefined),
    setByDefault: vi.fn<LockControl['setByDefault']>(async () => false),
    unlock: vi.fn<LockControl['unlock']>(async () => ({ kind: 'open' })),
    unlockByPasskey: vi.fn<LockControl['unlockByPasskey']>(async () => ({ kind: 'open' })),
    wait: () => 0,
    ...over,
  }
  const isSet = () => control.after.get() !== 'off'
  return { state: testValue<LockState>('open'), control: async () => control, isChosen: isSet, isSet }
}

/** Japanese; a choice is noted, and the texts stay. */
function testLanguage(): Services['language'] {
  const value = testValue<ReturnType<Services['language']['get']>>('ja')
  return { ...value, set: async (language) => value.set(language), missing: testValue(false) }
}

/** Services that work, and do nothing beyond the device. */
function testServices(over: Partial<Services> = {}): Services {
  const values = new Map<string, ReturnType<typeof testValue<string | null>>>()
  return {
    clock: testClock(() => NOW),
    crmClock: testValue<ReturnType<Services['crmClock']['get']>>(null),
    newId: () => crypto.randomUUID(),
    crms: { ...testValue<ReturnType<Services['crms']['get']>>([]), choose: () => undefined },
    session: testValue<ReturnType<Services['session']['get']>>(testSession),
    online: testValue(true),
    flash: createFlashStore(),
    theme: testValue<ReturnType<Services['theme']['get']>>('system'),
    language: testLanguage(),
    photo: testPhoto(),
    update: { ...testValue<UpdateOffer | null>(null), apply: async () => undefined },
    appKept: testValue(true),
    install: { ...testValue(false), ask: async () => undefined },
    lock: testLock(),
    signIn: vi.fn<Services['signIn']>(async () => ({ kind: 'signed-in' })),
    signOut: vi.fn<Services['signOut']>(async () => undefined),
    errorLog: {
      ...testValue<number | null>(0),
      send: vi.fn<Services['errorLog']['send']>(async () => 'sent'),
      note: vi.fn<Services['errorLog']['note']>(),
      text: vi.fn<Services['errorLog']['text']>(async () => ''),
    },
    figures: async () => [],
    waits: async () => [],
    supportFile: async () => '{}\n',
    telemetry: {
      about: async () => null,
      reset: vi.fn<Services['telemetry']['reset']>(async () => undefined),
    },
    memory: {
      store(key) {
        const known = values.get(key) ?? testValue<string | null>(null)
        values.set(key, known)
        return known
      },
    },
    Frame: TestFrame,
    storesClosed: testValue<string | null>(null),
    isDemo: false,
    appName: '現場ワーク',
    codeLabels: {},
    version: '1.0.0',
    ...over,
  }
}

function TestFrame({ title, back, board, footer, children }: FrameProps) {
  return (
    <>
      <header>
        {back}
        <h1>{title}</h1>
      </header>
      {board}
      <main>{children}</main>
      <footer>{footer}</footer>
    </>
  )
}

const memoryBytes = (db: Database) =>
  openPhotoBytes({
    sealer: PLAIN,
    databaseName: db.name,
    now: () => NOW,
    settings: { indexedDB: new IDBFactory(), IDBKeyRange },
  })

/** @returns once the screen's first frame is there */
export async function renderFeature(ui: ReactNode, options: RenderOptions = {}) {
  const { path = '/', href = path, db, advanceTimers, pressGuardMs = 0 } = options
  const services = testServices(options.services)
  const root = createRootRoute()
  const screens = PATHS.map((each) =>
    createRoute({
      getParentRoute: () => root,
      path: each,
      component: () => (each === path ? ui : <p>別の画面</p>),
    }),
  )
  const history = createMemoryHistory({ initialEntries: [href] })
  const router = createRouter({
    routeTree: root.addChildren(screens),
    history,
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
  })
  await router.load()
  const bytes = options.bytes ?? (db ? memoryBytes(db) : null)
  const dataOf = (of: Database, photoBytes: PhotoBytesTable) => {
    const { data, stop } = openedData({ services, db: of, bytes: photoBytes, lockedData: options.lockedData })
    afterThisTest(stop)
    return data
  }
  const userData = testValue<UserData | null>(db && bytes ? dataOf(db, bytes) : null)
  render(
    <I18nProvider i18n={i18n}>
      <ServicesContext value={services}>
        <Opened userData={userData}>
          <PressGuardContext value={pressGuardMs}>
            <RouterProvider router={router as never} />
          </PressGuardContext>
        </Opened>
      </ServicesContext>
    </I18nProvider>,
  )
  /** The user's data open now. */
  const open = (of: Database) => act(async () => userData.set(dataOf(of, memoryBytes(of))))
  const user = userEvent.setup(advanceTimers ? { advanceTimers } : {})
  return { screen, user, router, services, db, bytes, open, href: () => router.state.location.href }
}
