/** The services and the user's data that `src/app` gives to screens, which use the network only through them. */
import { createContext, use, useSyncExternalStore, type ComponentType, type ReactNode } from 'react'
import type { CodeLabels } from '#schemas/device/runtime-config.ts'
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
import type { FormDraftStore, Submitted, DraftPlace } from '#data/drafts/drafts.ts'
import type { LazyQuery, LiveQueries, LiveQuery } from '#data/database/live-queries.ts'
import type { Sealer } from '#data/encryption/key-ring.ts'

export type SignInResult = { kind: 'signed-in' } | { kind: 'failed'; message: string }

/** `offline`: no answer. `failed`: the file store has refused the log. */
export type ErrorLogSent = 'sent' | 'offline' | 'failed'

/** One of the CRMs of a device that uses several (decisions/config). */
export interface CrmState {
  /** Part of the names of this CRM's databases and storage keys. */
  scope: string
  name: string
  isShown: boolean
  /**
   * `removed`: `config.json` no longer names the CRM. `closed`: its data cannot be opened. `locked`: its data needs the
   * password (decisions/encryption).
   */
  session: 'open' | 'closed' | 'locked' | 'timed-out' | 'signed-out' | 'removed'
  /** Number of cards in 送信状況. For the CRM on the screen, `Outbox.unsent` is used instead. */
  unsent: number
  /** True if a change or photo of this CRM is 失敗 or 期限切れ. */
  failed: boolean
}

export interface SessionServices {
  session: ValueStore<Session | null>
  /** All CRMs of the device, if it uses several. Empty if it uses only one. */
  crms: ValueStore<readonly CrmState[]> & {
    /** Restarts the app with another CRM on the screen. Nobody is signed out. */
    choose(scope: string): void
  }
  lock: ScreenLock
  signIn(draft: { userName: string; password: string }): Promise<SignInResult>
  /** Ends the session. Unsent work stays on the device until the same user logs in again. */
  signOut(): Promise<void>
}

export interface NetworkServices {
  clock: Clock
  /** Last measured difference between the device's clock and the CRM's; null before the first answer (`useNow`). */
  crmClock: ValueStore<ClockReading | null>
  newId: () => string
  online: ValueStore<boolean>
}

export interface NoticeServices {
  flash: FlashStore
  /** Text that replaces the screens while the user's database cannot be opened; null while the screens are shown. */
  storesClosed: ValueStore<string | null>
  /**
   * The update that a restart would apply. Only the user starts it, because a restart could interrupt an open form.
   * `apply` resolves only if the update failed; otherwise the page reloads.
   */
  update: ValueStore<UpdateOffer | null> & { apply(): Promise<void> }
}

/** Data about the app itself. It is sent only if the user or the operator decides so. */
export interface DiagnosticServices {
  /** Number of errors in the local log (spec 8); null until they are counted. */
  errorLog: ValueStore<number | null> & {
    send(): Promise<ErrorLogSent>
    note(problem: unknown): void
    text(): Promise<string>
  }
  /** Performance figures of the last seven days, oldest first. */
  figures(): Promise<Figure[]>
  /** Reasons why the next call to an API waits; empty if none waits. `until`: ISO 8601, '' if unknown. */
  waits(): Promise<SupportFile['waits']>
  /**
   * Returns the text of a support file: JSON of `schemas/device/support-file.ts`.
   * @param withContents true to include the content of unsent work
   */
  supportFile(withContents: boolean): Promise<string>
  /** Telemetry for the operator, without user data (decisions/telemetry). `about`: null if telemetry is off. */
  telemetry: {
    about(): Promise<TelemetryFacts | null>
    reset(): Promise<void>
  }
}

export interface Services extends SessionServices, NetworkServices, NoticeServices, DiagnosticServices {
  /** Brightness of the screens; `system` follows the device. */
  theme: ValueStore<Theme> & { set(theme: Theme): void }
  /** Language of the interface. `missing`: its texts are not on the device, so the screens are Japanese. */
  language: ValueStore<Language> & { set(language: Language): Promise<void>; missing: ValueStore<boolean> }
  photo: PhotoSettings
  /** True if the app is stored on the device and starts without a signal. */
  appKept: ValueStore<boolean>
  /** True if the browser can add the app to the home screen; `ask` shows the browser's prompt. */
  install: ValueStore<boolean> & { ask(): Promise<void> }
  /** Keeps values for this tab until it is closed, such as filters and scroll positions. */
  memory: { store(key: string): WritableStore<string | null> }
  /** Frame of every screen behind login: app bar, connection, banners, footer. */
  Frame: ComponentType<FrameProps>
  isDemo: boolean
  appName: string
  /** Labels of codes for which the specification has none. */
  codeLabels: CodeLabels
  version: string
}

/** `asking`: after a start, while other tabs are asked for the keys. */
export type LockState = 'open' | 'asking' | 'locked'

/**
 * Result of a try to unlock. `wait`: too early, the password was not tried. `waitMs`: milliseconds until the next try.
 * `failed`: not a matter of the password, for example because the user is signed out.
 */
export type Unlocking = { kind: 'open' } | { kind: 'wrong' | 'wait'; waitMs: number } | { kind: 'failed' }

/** `no-key`: the user's keys are missing, so that a passkey can be added only after the next login. */
export type PasskeyState = 'set' | 'none' | 'no-key' | 'unsupported'
export type PasskeyAdded = 'set' | 'cancelled' | 'unsupported'

export interface LockControl {
  /** The delay after which the screen is locked. `set` resolves once the choice is on disk. */
  after: ValueStore<LockAfter> & { set(after: LockAfter): Promise<void> }
  /** Null until the user's keys, among which a passkey would be, are read. */
  passkey: ValueStore<PasskeyState | null>
  addPasskey(): Promise<PasskeyAdded>
  /** Sets the lock if the user has not chosen and the device supports passkeys. @returns true if the lock was set */
  setByDefault(): Promise<boolean>
  removePasskey(): Promise<void>
  unlock(password: string): Promise<Unlocking>
  unlockByPasskey(): Promise<Unlocking>
  /** Returns milliseconds until a password may be tried; 0 if it may be tried now. */
  wait(): number
}

export interface ScreenLock {
  state: ValueStore<LockState>
  control(): Promise<LockControl>
  /** True if the user has chosen a lock or no lock, or has been told of the default, which is then not set again. */
  isChosen(): boolean
  isSet(): boolean
}

export interface TelemetryFacts {
  /** Host to which the telemetry is sent. */
  to: string
  /** Random id of this device. */
  id: string
  /** Fraction of the devices that send all telemetry, 0 to 1. */
  sample: number
  /** Time of the last report, ISO 8601; null if none was sent. */
  sentAt: string | null
  /** Number of samples and events that wait to be sent. */
  waiting: number
}

/**
 * An update that a restart applies. `new-version`: a new app version. `too-old`: a new version, and the running version
 * is not allowed any more. `other-settings`: new settings of the same CRM. `other-crm`: `config.json` names another
 * CRM. `held-crm`: like `other-crm`, but the earlier CRM stays because it has unsent work.
 */
export type UpdateOffer = 'new-version' | 'too-old' | 'other-settings' | 'other-crm' | 'held-crm'

export interface PhotoSettings {
  maxMb: number
  /** Resolves to `latitude,longitude`, or '' if no position is found in time. Never rejects. */
  place: () => Promise<string>
  /** Loads the code that processes photos, in a worker if the browser has workers. @throws if it cannot be loaded */
  jobs: () => Promise<PhotoJobs>
  /** Milliseconds after which reading a picked file is given up. */
  readMs?: number
  /** True if the user has chosen 写真を元のサイズで送信. */
  original: ValueStore<boolean> & { set(on: boolean): void }
}

export interface FrameProps {
  /** Title of the screen, for `h1` and the page. */
  title: string
  /** Allows a title of two lines. */
  long?: boolean
  /** Replaces the title in `h1`, for example with a line break at a fixed place. */
  heading?: ReactNode
  /** BackLink or BackButton. The three top screens have none and show the product's logo. */
  back?: ReactNode
  /** Name of the building, shown in the app bar while `stuck` is true. */
  sub?: string | undefined
  /** True while `board` is scrolled out of view (`useStuck`). */
  stuck?: ValueStore<boolean>
  /** Summary of the request, above the content. */
  board?: ReactNode
  /** True if `board` shows the title in the wide layout, instead of the app bar. */
  titleInBoard?: boolean
  /** ActionBar. On the three top screens, `tabs` adds the tabs below it. */
  footer?: ReactNode
  tabs?: boolean
  /** True if the only content is an empty state, which is then centred. */
  center?: boolean
  mainRef?: (element: HTMLElement | null) => void
  children: ReactNode
}

export type Theme = 'system' | 'light' | 'dark' | 'outdoor'

/** Data encrypted under an earlier password (封印中). The value is the number of its changes, photos and drafts. */
export interface LockedData extends ValueStore<number> {
  /** Returns how many of these items the operator can recover from the file that `bundle` makes (SV8). */
  recoverable(): number
  /** Returns a file for the operator with the recoverable items. They stay encrypted, and on the device as well. */
  bundle(): Promise<Blob>
  /**
   * Tries an earlier password. `all`, `some`: all or some data was restored. `typed`: a draft stays locked, because its
   * form contains other text. `spoiled`: the data is damaged. `wrong`: the password opened nothing. `later`: too many
   * wrong passwords; nothing was tried.
   */
  open(password: string): Promise<'all' | 'some' | 'typed' | 'spoiled' | 'wrong' | 'later'>
  /** Returns why the last opening left data locked; null if only another password opens it. */
  stays(): 'typed' | 'spoiled' | null
  /** Returns milliseconds until the next password may be tried; 0 if it may be tried now. */
  wait(): number
  discard(): Promise<void>
}

export interface UserData extends DraftPlace {
  live: LiveQueries<Database>
  /** Input of forms that is not saved yet. */
  drafts: FormDraftStore
  /** Encrypts values of the user that are stored outside the database. */
  sealer: Sealer
  /** Data that is encrypted with an earlier password (封印中). */
  lockedData: LockedData
  /**
   * Must be called after each save. A banner then shows the progress, and offers an undo until the save is sent.
   * @param stamps stamps of the changes and photos that the save wrote
   * @param path path of the screen that saved
   * @param form the form's input; null if the save has no form
   */
  saved(stamps: readonly string[], path: string, form: Submitted | null): void
  /** Called once the first screen with this data is painted. The sync then starts. */
  painted(): void
}

export const ServicesContext = createContext<Services | null>(null)
export const UserDataContext = createContext<UserData | null>(null)

export function useServices(): Services {
  const services = use(ServicesContext)
  if (!services) throw new Error('ServicesContext is missing')
  return services
}

/** Returns the current value of a store, and renders again when it changes. */
export const useValue = <T,>(store: ValueStore<T>): T => useSyncExternalStore(store.subscribe, store.get)

export const useOnline = () => useValue(useServices().online)

/** Returns the session, which screens behind the login guard always have. */
export const useSession = () => useValue(useServices().session)

/** Returns the user's data; null until the database is open. */
export const useUserData = () => use(UserDataContext)

/** Returns a live query's result; undefined until the first. @param key must contain all that the query depends on */
export const useLiveQuery = <T,>(
  key: string,
  query: LiveQuery<Database, T> | LazyQuery<Database, T>,
): T | undefined => useNamedQuery({ key, query })

/** Like `useLiveQuery`, for a query with its key (`first-queries.ts`). Returns undefined for null. */
export function useNamedQuery<T>(
  named: { key: string; query: LiveQuery<Database, T> | LazyQuery<Database, T> } | null,
): T | undefined {
  const data = useUserData()
  const store = (named && data?.live.store(named.key, named.query)) ?? NOTHING_YET
  return useSyncExternalStore(store.subscribe, store.get as () => T | undefined)
}

const NOTHING_YET = { subscribe: () => () => undefined, get: () => undefined }
