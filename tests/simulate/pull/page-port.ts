/** What a page of the app is given of its browser, its phone and the network; and what it gives to whoever drives it. */
import type { BytesInfo, BytesRow } from '#data/photos/photo-bytes.ts'
import type { Row } from '#data/storage/docs-table.ts'
import type { KeyStore } from '#data/encryption/stored-keys.ts'
import type { Session, UserInfo } from '#schemas/device/session.ts'
import type { PhotoBytes } from '#sync/photos/photo-store.ts'
import type { Transition } from '#sync/changes/send-adapter.ts'
import type { AnswerCache } from '#sync/scheduler/api.ts'
import type { Database } from '#data/database/database.ts'
import type { LockedData } from '#data/context/app-context.tsx'
import type { Saver } from '#data/changes/changes.ts'
import type { Cryptography } from './model-crypto.ts'
import type { Written } from './phone-disk.ts'
import type { StoredDoc } from './stored-doc.ts'
import type { SealedDisk, SealedStore } from './sealed-disk.ts'

/** What whoever asks for a key, makes or destroys one is given. */
export interface KeyPort {
  keys: KeyStore
  cryptography: Cryptography
  locks: LockManager
  newId(): string
}

export interface PhotoTables {
  bytes: Map<string, BytesRow>
  info: Map<string, BytesInfo>
}

/** On a phone whose stores are sealed. */
export interface SealPort extends KeyPort {
  /** What lies in stores of this name. */
  disk(stores: string): SealedDisk
  indexedDB: IDBFactory
  /** The tables of the bytes of photos in stores of this name, as they lie there. */
  photos(stores: string): PhotoTables
  /** After each row is on disk. */
  wrote(disk: SealedDisk, store: SealedStore, before: Row | undefined, after: Row): void
  /** These are the user's stores from now on; what was in others is locked. */
  opens(stores: string): void
}

export interface PagePort {
  /** Missing where nothing is sealed. */
  seal?: SealPort
  /** No other page ever has it. */
  name: string
  /** What all pages of this user on this phone call the database. */
  diskName: string
  /** What is on the phone's disk for this user: collections by name. */
  disk: Map<string, unknown>
  user: UserInfo
  /** Whether other tabs may have the same database open. */
  hasTabs: boolean
  isOnline: boolean
  isVisible: boolean
  /** Before each step of the storage: it may take a while, fail, or never come to an end. @param written documents */
  storage(kind: 'read' | 'write', collection: string, written?: Written): Promise<void> | undefined
  /** After each write of a document. */
  wrote(collection: string, before: StoredDoc | undefined, after: StoredDoc): void
  isAlive(): boolean
  fetch(url: string, init: RequestInit): Promise<Response>
  session: { read(): Promise<Session | null>; replace(known: Session, next: Session): Promise<boolean> }
  memory(name: string): { get(): string | null; set(text: string): void }
  answers?: AnswerCache
  /** The bytes of photos, beside the database. */
  bytes: PhotoBytes
  /** None in an old browser. */
  locks: LockManager | undefined
  say(word: string): void
  now(): number
  /** Milliseconds that the app has run. */
  ran(): number
  random(): number
  report(problem: string): void
  storageFull(isFull: boolean): void
  /** A row of the ledger went on. */
  moved(transition: Transition): void
  /** The page stood still while it led, and another leads now. */
  leadershipLost(): void
}

export interface Page {
  db: Database
  saver(): Saver
  online(is: boolean): void
  visible(is: boolean): void
  session(session: Session | null): void
  hear(word: string): void
  /** Another tab has written the phone's memory. */
  memoryChanged(): void
  stop(): Promise<void>
  close(): Promise<void>
  /** The page is gone at once: its collections no longer count. */
  drop(): void
  act: PageActs
  /** Null where nothing is sealed. */
  sealed: SealedPage | null
}

export interface SealedPage {
  /** What is 封印中. */
  lockedData: LockedData
  /** Whether this page could still seal or open anything. */
  hasKey(): Promise<boolean>
}

/** What people do on screens, by the shipped commands. */
export interface PageActs {
  askRefresh(): Promise<void>
  askDetail(requestId: string, workingDate: string): Promise<void>
  askSearch(from: string, to: string): Promise<void>
  askList(
    collection: 'noteLocationAreas' | 'pastReports' | 'emergencyReports',
    owner: string,
    requestId: string,
  ): Promise<void>
  askRecord(collection: AskedRecord, id: string): Promise<void>
  askPhotos(resource: string, recordKey: string, requestId: string): Promise<void>
  askPhotoBytes(key: string): Promise<void>
  enter(requestKey: string): Promise<boolean>
  leave(reportKey: string, text: string): Promise<boolean>
  note(requestKey: string, text: string): Promise<boolean>
  /** A note with a photo of so many bytes. */
  photo(requestKey: string, text: string, size: number): Promise<boolean>
  emergency(requestKey: string, text: string): Promise<boolean>
  safety(requestKey: string): Promise<boolean>
  parking(requestKey: string, text: string): Promise<boolean>
  contact(requestKey: string, text: string): Promise<boolean>
  draft(requestId: string): Promise<boolean>
}
export type AskedRecord =
  | 'quickReports'
  | 'emergencyReports'
  | 'noteLocationAreas'
  | 'customerLocationChangeRequests'
  | 'locationContactChangeRequests'
  | 'safetyMeasures'
