/**
 * What screens have from the app: the user's database, and the few services that are not data. The app composes them
 * (`src/app`); screens never reach the network through anything else.
 */
import { createContext, use, useSyncExternalStore, type ComponentType, type ReactNode } from 'react'
import type { CodeLabels } from '#schemas/resources/pit-labels.ts'
import type { Session } from '#schemas/device/session.ts'
import type { Flag } from '#lib/flag.ts'
import type { ClockReading } from '#lib/time/crm-clock.ts'
import type { Figure } from '#lib/field-figures.ts'
import type { PhotoJobs } from '#lib/image/photo-jobs.ts'
import type { LockAfter } from '#lib/browser/screen-lock.ts'
import type { Clock } from '#lib/time/stamp.ts'
import type { Database } from '#data/database/database.ts'
import type { FlashStore } from './flash-store.ts'
import type { FormDraftStore } from '#data/drafts/form-drafts.ts'
import type { LazyQuery, LiveQueries, LiveQuery } from '#data/database/live-queries.ts'
import type { Submitted } from '#data/drafts/save-draft.ts'
import type { PhotoBytesTable } from '#data/photo-bytes/photo-bytes.ts'
import type { LockedData } from '#data/locked/locked-data.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'
import type { ValueStore } from '#lib/value-store.ts'

export type SignInResult = { kind: 'signed-in' } | { kind: 'failed'; message: string }

/** offline: nobody answered; failed: the file store refused it. */
export type ErrorLogSent = 'sent' | 'offline' | 'failed'

/** One of several CRMs of this device (decisions/config). */
export interface CrmState {
  /** Which part of the device is its own. */
  scope: string
  name: string
  /** It is the one on the screen. */
  isShown: boolean
  /**
   * removed: `config.json` names it no longer; closed: what lies there cannot be opened; locked: it waits for its password
   * (decisions/encryption).
   */
  session: 'open' | 'closed' | 'locked' | 'timed-out' | 'signed-out' | 'removed'
  /** Cards of 送信状況; of the one on the screen the screen itself counts. */
  unsent: number
  failed: boolean
}

export interface Services {
  clock: Clock
  /** How far the device's clock is from the CRM's; null until an answer told (`useNow`). */
  crmClock: ValueStore<ClockReading | null>
  newId: () => string
  /** The CRMs of this device, the one on the screen among them; empty where there is one. */
  crms: ValueStore<readonly CrmState[]> & {
    /** A new start with another on the screen; nobody is signed out. */
    choose(scope: string): void
  }
  session: ValueStore<Session | null>
  online: ValueStore<boolean>
  flash: FlashStore
  /** Which brightness the user chose; null follows the device. */
  theme: ValueStore<Theme> & { set(theme: Theme): void }
  photo: PhotoSettings
  /**
   * What waits for a new start, which is made when the user says so, and never under an open form. `apply` settles where
   * nothing came of it: else the page is loaded anew.
   */
  update: ValueStore<UpdateOffer | null> & { apply(): Promise<void> }
  /** The app itself is on the device, and opens without a signal. */
  appKept: ValueStore<boolean>
  /** The browser offers to put the app on the home screen; 設定 asks when the user says so. */
  install: ValueStore<boolean> & { ask(): Promise<void> }
  /** Whether what is on the device waits for a password or a passkey (decisions/encryption). */
  lock: ScreenLock
  signIn(draft: { userName: string; password: string }): Promise<SignInResult>
  /** Forgets the session. What is unsent stays on the device for the same user's next login. */
  signOut(): Promise<void>
  /** How many errors the local log holds (spec 8), null until they were counted; it is sent when the user says so. */
  errorLog: ValueStore<number | null> & {
    send(): Promise<ErrorLogSent>
    note(problem: unknown): void
    /** What would be sent now, to the letter. */
    text(): Promise<string>
  }
  /** How fast the app was on this device in the last seven days, oldest first. */
  figures(): Promise<Figure[]>
  /**
   * The text of a support file as of now: JSON of `schemas/device/support-file.ts`.
   * @param withContents also what was written and not sent
   */
  supportFile(withContents: boolean): Promise<string>
  /** What goes to whoever operates the app, without a user's data; null where nothing does (decisions/telemetry). */
  telemetry: {
    about(): Promise<TelemetryFacts | null>
    /** Gives the device another random id. */
    reset(): Promise<void>
  }
  /** Small things kept for this tab only: filters, scroll positions. */
  memory: { store(key: string): ValueStore<string | null> & { set(value: string | null): void } }
  /** The frame of every screen behind login: app bar, connection, banners, foot. */
  Frame: ComponentType<FrameProps>
  /** Why the user's data could not be opened: no waiting brings it. Null where nothing is wrong. */
  storesClosed: ValueStore<string | null>
  isDemo: boolean
  appName: string
  /** Labels of codes that the specification does not give. */
  codeLabels: CodeLabels
  version: string
}

/** asking: not known yet, in the first moments after a start. */
export type LockState = 'open' | 'asking' | 'locked'

/** wait: nothing was tried; `waitMs` until the next try. */
export type Unlocking = { kind: 'open' } | { kind: 'wrong' | 'wait'; waitMs: number } | { kind: 'failed' }

/** no-key: there is none before the next login; the others are of the device. */
export type PasskeyState = 'set' | 'none' | 'no-key' | 'unsupported'
export type PasskeyAdded = 'set' | 'cancelled' | 'unsupported'

export interface LockControl {
  /** Chosen once it is on the disk. */
  after: ValueStore<LockAfter> & { set(after: LockAfter): Promise<void> }
  /** Null until it was read. */
  passkey: ValueStore<PasskeyState | null>
  addPasskey(): Promise<PasskeyAdded>
  /** Where nobody has chosen and passkeys work here. @returns whether it has set the lock */
  setByDefault(): Promise<boolean>
  removePasskey(): Promise<void>
  unlock(password: string): Promise<Unlocking>
  unlockByPasskey(): Promise<Unlocking>
  /** Milliseconds until a password may be tried; 0: now. */
  wait(): number
}

export interface ScreenLock {
  state: ValueStore<LockState>
  /** What it is worked with, loaded where it is. */
  control(): Promise<LockControl>
  /** Whether somebody has chosen whether and when it locks, or the default was told: it is not set again. */
  isChosen(): boolean
  /** Whether one is set now. */
  isSet(): boolean
}

export interface TelemetryFacts {
  /** The host it goes to. */
  to: string
  /** The device's random id. */
  id: string
  /** Part of the devices that tell all of it. */
  sample: number
  /** ISO 8601; null: never yet. */
  sentAt: string | null
  /** What waits to be sent. */
  waiting: number
}

/** A new version, for one that is still good or no longer; other settings (`config.json`), of the same CRM or another. */
export type UpdateOffer = 'new-version' | 'too-old' | 'other-settings' | 'other-crm' | 'held-crm'

/** What taking a photo needs of the device. */
export interface PhotoSettings {
  /** Megabytes per photo. */
  maxMb: number
  /** `latitude,longitude`, or '' where there is no position within the limit of time; never rejects. */
  place: () => Promise<string>
  /** Makes photos ready, off the page's thread where the browser can. @throws where it cannot be loaded */
  jobs: () => Promise<PhotoJobs>
  /** So long a file may take to be read, in milliseconds, where it is another than the usual time. */
  readMs?: number
  /** 写真を元のサイズで送信. */
  original: ValueStore<boolean> & { set(on: boolean): void }
}

export interface FrameProps {
  /** The screen's title: h1 and page title. */
  title: string
  /** A title of two lines. */
  long?: boolean
  /** The title as it is drawn, where it may break at a certain place only. */
  heading?: ReactNode
  /** BackLink or BackButton; without it the product's mark (the three top screens). */
  back?: ReactNode
  /** The place name, shown when the board has scrolled away (`stuck` from useStuck). */
  sub?: string | undefined
  stuck?: Flag
  /** Board, or BoardWrap with Seg. */
  board?: ReactNode
  /** The board carries the title in the wide layout. */
  titleInBoard?: boolean
  /** ActionBar; on the three top screens `tabs` adds the tabs under it. */
  footer?: ReactNode
  tabs?: boolean
  /** Puts a lone Empty into the middle. */
  center?: boolean
  /** The scrolling element of a pane. */
  mainRef?: (element: HTMLElement | null) => void
  children: ReactNode
}

export type Theme = 'system' | 'light' | 'dark' | 'outdoor'

export interface UserData {
  db: Database
  /** The bytes of photos. */
  bytes: PhotoBytesTable
  live: LiveQueries<Database>
  /** What is typed into forms and not saved. */
  drafts: FormDraftStore
  /** Seals what is kept of the user elsewhere. */
  sealer: Sealer
  /** What is sealed under a password of before. */
  aside: LockedData
  /**
   * A save was made: the banner tells what becomes of it, and offers it back while it is on this device only.
   * @param stamps of the changes and photos it wrote
   * @param path of the screen it was made on
   * @param form what was typed there; null where nothing is
   */
  saved(stamps: readonly string[], path: string, form: Submitted | null): void
}

export const ServicesContext = createContext<Services | null>(null)
export const UserDataContext = createContext<UserData | null>(null)

export function useServices(): Services {
  const services = use(ServicesContext)
  if (!services) throw new Error('ServicesContext is missing')
  return services
}

export const useValue = <T,>(store: ValueStore<T>): T => useSyncExternalStore(store.subscribe, store.get)

export const useOnline = () => useValue(useServices().online)

/** The signed-in session; screens behind the login guard always have one. */
export const useSession = () => useValue(useServices().session)

/** The user's database; null in the first moments after a start, while it opens. */
export const useUserData = () => use(UserDataContext)

/**
 * The rows of a query, live; undefined until they were read.
 * @param key says everything the query depends on
 */
export const useLiveQuery = <T,>(
  key: string,
  query: LiveQuery<Database, T> | LazyQuery<Database, T>,
): T | undefined => useNamedQuery({ key, query })

/** The rows of a named query, live; undefined until they were read, and where there is no query. */
export function useNamedQuery<T>(
  named: { key: string; query: LiveQuery<Database, T> | LazyQuery<Database, T> } | null,
): T | undefined {
  const data = useUserData()
  const store = (named && data?.live.store(named.key, named.query)) ?? NOTHING_YET
  return useSyncExternalStore(store.subscribe, store.get as () => T | undefined)
}

const NOTHING_YET = { subscribe: () => () => undefined, get: () => undefined }
