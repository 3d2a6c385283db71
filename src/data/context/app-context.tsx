/**
 * The services and the user's database that screens get from the app. `src/app` creates them. Screens reach the network
 * only through these.
 */
import { createContext, use, useSyncExternalStore, type ComponentType, type ReactNode } from 'react'
import type { CodeLabels } from '#schemas/resources/pit-labels.ts'
import type { Session } from '#schemas/device/session.ts'
import type { SupportFile } from '#schemas/device/support-file.ts'
import type { Language } from '#lib/language.ts'
import type { ValueStore, WritableStore } from '#lib/value-store.ts'
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
import type { DraftPlace } from '#data/drafts/drafts.ts'
import type { LockedData } from '#data/locked/locked-data.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'

export type SignInResult = { kind: 'signed-in' } | { kind: 'failed'; message: string }

/** `offline`: no answer. `failed`: the file store refused the log. */
export type ErrorLogSent = 'sent' | 'offline' | 'failed'

/** One of several CRMs on this device (decisions/config). */
export interface CrmState {
  /** Identifies the CRM in names of databases and storage keys. */
  scope: string
  name: string
  /** True if this CRM is on the screen. */
  isShown: boolean
  /**
   * `removed`: the CRM is no longer in `config.json`. `closed`: its data cannot be opened. `locked`: its data waits
   * for the password (decisions/encryption).
   */
  session: 'open' | 'closed' | 'locked' | 'timed-out' | 'signed-out' | 'removed'
  /** Number of unsent cards; not used for the CRM on the screen, whose cards the screen counts itself. */
  unsent: number
  /** True if an unsent change or photo of this CRM is 失敗 or 期限切れ. */
  failed: boolean
}

/** Who is signed in, on which CRM, and whether the screen is locked. */
export interface SessionServices {
  session: ValueStore<Session | null>
  /** The CRMs on this device, including the CRM on the screen; empty on a device with one CRM. */
  crms: ValueStore<readonly CrmState[]> & {
    /** Restarts the app with another CRM on the screen. Signs nobody out. */
    choose(scope: string): void
  }
  /** The screen lock: whether the data waits for a password or passkey (decisions/encryption). */
  lock: ScreenLock
  signIn(draft: { userName: string; password: string }): Promise<SignInResult>
  /** Ends the session. Unsent work stays on the device for the same user's next login. */
  signOut(): Promise<void>
}

export interface NetworkServices {
  clock: Clock
  /** Difference between the device's clock and the CRM's; null before the first answer (`useNow`). */
  crmClock: ValueStore<ClockReading | null>
  newId: () => string
  online: ValueStore<boolean>
}

export interface NoticeServices {
  flash: FlashStore
  /** Why the user's data cannot be opened, for errors that waiting does not fix; else null. */
  storesClosed: ValueStore<string | null>
  /**
   * An update that waits for a restart. Only the user starts it, because a restart by the app could interrupt an open
   * form. `apply` only resolves if the update failed; otherwise the page reloads.
   */
  update: ValueStore<UpdateOffer | null> & { apply(): Promise<void> }
}

/** Data that the app collects about itself. It is sent only if the user or the operator chooses so. */
export interface DiagnosticServices {
  /** Number of errors in the local log (spec 8); null until counted. The user decides to send it. */
  errorLog: ValueStore<number | null> & {
    send(): Promise<ErrorLogSent>
    note(problem: unknown): void
    text(): Promise<string>
  }
  /** The app's speed on this device in the last seven days, oldest day first. */
  figures(): Promise<Figure[]>
  /** Why the next call to an API waits; empty if none does. `until` is ISO 8601, '' if no time is known. */
  waits(): Promise<SupportFile['waits']>
  /**
   * Text of a support file: JSON of `schemas/device/support-file.ts`.
   * @param withContents true to include the content of unsent work
   */
  supportFile(withContents: boolean): Promise<string>
  /**
   * Telemetry to the operator, without user data; `about` resolves to null if telemetry is off
   * (decisions/telemetry).
   */
  telemetry: {
    about(): Promise<TelemetryFacts | null>
    /** Gives the device a new random id. */
    reset(): Promise<void>
  }
}

/** The app on this device, and the choices of its user. */
interface DeviceServices {
  /** The user's choice of brightness; `system` follows the device. */
  theme: ValueStore<Theme> & { set(theme: Theme): void }
  /** The interface's language. `missing`: its texts are not on the device, and Japanese is shown. */
  language: ValueStore<Language> & { set(language: Language): Promise<void>; missing: ValueStore<boolean> }
  photo: PhotoSettings
  /** True if the app itself is on the device and opens without a signal. */
  appKept: ValueStore<boolean>
  /** True if the browser can add the app to the home screen; `ask` shows its prompt. */
  install: ValueStore<boolean> & { ask(): Promise<void> }
  /** Small values for this tab only: filters, scroll positions. */
  memory: { store(key: string): WritableStore<string | null> }
  /** The frame of every screen behind the login: app bar, connection, banners, footer. */
  Frame: ComponentType<FrameProps>
  isDemo: boolean
  appName: string
  /** Labels of codes that the specification leaves to the operator. */
  codeLabels: CodeLabels
  version: string
}

export interface Services
  extends SessionServices, NetworkServices, NoticeServices, DiagnosticServices, DeviceServices {}

/** `asking`: just after a start, while this tab waits for another tab to pass it the keys. */
export type LockState = 'open' | 'asking' | 'locked'

/** Result of a try to unlock. `wait`: the password was not tried. `waitMs`: time until the next try is allowed. */
export type Unlocking = { kind: 'open' } | { kind: 'wrong' | 'wait'; waitMs: number } | { kind: 'failed' }

/** `no-key`: the user's keys are missing, so a passkey cannot be added before the next login. */
export type PasskeyState = 'set' | 'none' | 'no-key' | 'unsupported'
export type PasskeyAdded = 'set' | 'cancelled' | 'unsupported'

export interface LockControl {
  /** The user's choice of when the screen locks. `set` resolves when the choice is on disk. */
  after: ValueStore<LockAfter> & { set(after: LockAfter): Promise<void> }
  /** Null until the keys were read. */
  passkey: ValueStore<PasskeyState | null>
  addPasskey(): Promise<PasskeyAdded>
  /**
   * Sets the lock if the user has not chosen and passkeys work here.
   * @returns true if the lock was set
   */
  setByDefault(): Promise<boolean>
  removePasskey(): Promise<void>
  unlock(password: string): Promise<Unlocking>
  unlockByPasskey(): Promise<Unlocking>
  /** Milliseconds until a password may be tried; 0 means now. */
  wait(): number
}

export interface ScreenLock {
  state: ValueStore<LockState>
  /** The lock's operations; their code is loaded on demand. */
  control(): Promise<LockControl>
  /**
   * True if the user has chosen a lock, has chosen to have no lock, or has been informed of the default. The default is
   * then not applied again.
   */
  isChosen(): boolean
  isSet(): boolean
}

export interface TelemetryFacts {
  to: string
  id: string
  /** Fraction of devices that send everything. */
  sample: number
  /** When a report was last sent, ISO 8601; null if never. */
  sentAt: string | null
  /** Number of samples and events that wait to be sent. */
  waiting: number
}

/**
 * An update that a restart applies. `new-version`: a new app version. `too-old`: the same, and the running version is no
 * longer supported. `other-settings`: `config.json` has other settings for the same CRM. `other-crm`: it names another CRM.
 * `held-crm`: it names another CRM, but this start stayed with the earlier CRM, whose unsent work would be lost.
 */
export type UpdateOffer = 'new-version' | 'too-old' | 'other-settings' | 'other-crm' | 'held-crm'

export interface PhotoSettings {
  maxMb: number
  /** Resolves to `latitude,longitude`, or '' if no position arrives in time. Never rejects. */
  place: () => Promise<string>
  /**
   * Loads the code that processes photos, in a worker if the browser has them.
   * @throws if it cannot be loaded
   */
  jobs: () => Promise<PhotoJobs>
  /** Time limit for reading a file, in ms; a default applies if absent. */
  readMs?: number
  /** The setting 写真を元のサイズで送信. */
  original: ValueStore<boolean> & { set(on: boolean): void }
}

export interface FrameProps {
  /** The screen's title: h1 and page title. */
  title: string
  /** True for a title of two lines. */
  long?: boolean
  /** The displayed form of a title that may wrap at one place only. */
  heading?: ReactNode
  /** BackLink or BackButton; without it the product logo (on the three top screens). */
  back?: ReactNode
  /** The place name, shown once the board has scrolled out of view (`stuck` is from useStuck). */
  sub?: string | undefined
  stuck?: ValueStore<boolean>
  /** RequestBoard, or BoardWrap with Seg. */
  board?: ReactNode
  /** True if the board shows the title in the wide layout. */
  titleInBoard?: boolean
  /** ActionBar; on the three top screens `tabs` adds the tabs below it. */
  footer?: ReactNode
  tabs?: boolean
  /** True to centre the screen's only content, an empty state. */
  center?: boolean
  mainRef?: (element: HTMLElement | null) => void
  children: ReactNode
}

export type Theme = 'system' | 'light' | 'dark' | 'outdoor'

/** The signed-in user's data on the device. */
export interface UserData extends DraftPlace {
  live: LiveQueries<Database>
  /** Unsaved input of forms. */
  drafts: FormDraftStore
  /** Encrypts the user's values outside the database. */
  sealer: Sealer
  /** Data that is encrypted under an earlier password. */
  lockedData: LockedData
  /**
   * Reports a save. A banner then shows the save's progress, and offers undo while the save is only on this device.
   * @param stamps stamps of the changes and photos that the save wrote
   * @param path path of the screen that saved
   * @param form the form's input; null if the save has no form
   */
  saved(stamps: readonly string[], path: string, form: Submitted | null): void
  /** Called once the first screen with this data is painted. The sync starts then. */
  painted(): void
}

export const ServicesContext = createContext<Services | null>(null)
export const UserDataContext = createContext<UserData | null>(null)

export function useServices(): Services {
  const services = use(ServicesContext)
  if (!services) throw new Error('ServicesContext is missing')
  return services
}

/** The current value of a store; re-renders when it changes. */
export const useValue = <T,>(store: ValueStore<T>): T => useSyncExternalStore(store.subscribe, store.get)

export const useOnline = () => useValue(useServices().online)

/** The session. Screens behind the login guard always have one. */
export const useSession = () => useValue(useServices().session)

/** The user's data; null just after a start, while the database opens. */
export const useUserData = () => use(UserDataContext)

/**
 * The result of a live query; undefined until it was read.
 * @param key must name everything that the query depends on
 */
export const useLiveQuery = <T,>(
  key: string,
  query: LiveQuery<Database, T> | LazyQuery<Database, T>,
): T | undefined => useNamedQuery({ key, query })

/** The result of a named live query; undefined until it was read, or if there is no query. */
export function useNamedQuery<T>(
  named: { key: string; query: LiveQuery<Database, T> | LazyQuery<Database, T> } | null,
): T | undefined {
  const data = useUserData()
  const store = (named && data?.live.store(named.key, named.query)) ?? NOTHING_YET
  return useSyncExternalStore(store.subscribe, store.get as () => T | undefined)
}

const NOTHING_YET = { subscribe: () => () => undefined, get: () => undefined }
