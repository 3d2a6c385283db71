/**
 * What of a phone is sealed: whose keys lie on it, under which passwords, whether its screen is locked, and what of that
 * must hold (RULES SV3, SV4, SV6). The keys themselves are made, destroyed and opened by the shipped parts (`sealed-page.ts`).
 */
import type { Row } from '#data/storage/docs-table.ts'
import { isUsable, type KeyStore, type StoredKeys } from '#data/encryption/stored-keys.ts'
import { storesName } from '#data/database/database-name.ts'
import { photoBytesName, photoPlace } from '#data/photos/photo-bytes.ts'
import { modelCrypto, ModelKey } from './model-crypto.ts'
import { modelIdb, type BesideTables } from './model-idb.ts'
import type { KeyPort, PhotoTables, SealPort } from './page-port.ts'
import { SealedDisk, type KnownKeys, type SealedStore } from './sealed-disk.ts'

export const databaseOf = (user: string) => `genba-${user}`

/** How a page takes its steps: each may take a while, or never end. */
export type Step = (kind: 'read' | 'write') => Promise<void> | undefined

interface Parts {
  /** By the seed alone, and of nothing else. */
  random: () => number
  broken: (rule: string, text: string) => void
  /** Name of the phone. */
  name: string
}

interface SealOf {
  user: string
  step: Step
  locks: LockManager
  wrote: SealPort['wrote']
  otherStores: () => void
}

/** A lock that comes in the middle of something. */
export interface Armed {
  at: 'step' | 'send' | 'read'
  /** After so many more of them. */
  left: number
  run: () => void
}

export class PhoneSeal {
  /** It is to be locked, from when somebody was away for too long until it is opened again. */
  wantsLock = false
  /** No key on the disk is usable. */
  isLocked = false
  /** All data is closed, too. */
  isShut = false
  /** Somebody is logging in or out. */
  isBusy = false
  armed: Armed | null = null
  private whenLocked = () => undefined as void
  private ids = 0
  private readonly stored = new Map<string, StoredKeys>()
  private readonly known: KnownKeys = new Map()
  private readonly disks = new Map<string, SealedDisk>()
  private readonly beside: BesideTables = new Map()
  /** The stores that each user has opened last. */
  private readonly lastOpened = new Map<string, string>()
  private readonly passwords = new Map<string, string[]>()
  private readonly cryptography
  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
    this.cryptography = modelCrypto(parts.random)
  }

  private readonly spoiled = (text: string) => this.parts.broken('SV3', `${this.parts.name}: ${text}`)

  /** What lies in stores of this name. */
  private readonly storesOf = (stores: string): SealedDisk => {
    const disk = this.disks.get(stores) ?? new SealedDisk(stores, this.known, this.spoiled)
    this.disks.set(stores, disk)
    return disk
  }

  private presentOf(user: string): string {
    const { current } = this.stored.get(databaseOf(user)) ?? {}
    return current === undefined ? databaseOf(user) : storesName(databaseOf(user), current)
  }

  /** What lies in the user's present stores. */
  disk = (user: string): SealedDisk => this.storesOf(this.presentOf(user))

  /** All that the user ever had; the last is what the CRM takes. */
  passwordsOf = (user: string): readonly string[] => this.passwords.get(user) ?? ['first']
  passwordOf = (user: string): string => this.passwordsOf(user).at(-1) ?? 'first'

  changePassword(user: string): void {
    const all = this.passwordsOf(user)
    this.passwords.set(user, [...all, `password ${all.length}`])
  }

  /** @returns resolves once no key is usable, whoever has done it: a page that was about to may have died */
  lockBegins(): Promise<void> {
    this.wantsLock = true
    return new Promise((resolve) => (this.whenLocked = resolve))
  }

  locked(): void {
    if (this.isLocked) return
    this.isLocked = true
    this.checkLocked('a lock')
    this.whenLocked()
  }

  opened(): void {
    this.wantsLock = false
    this.isLocked = false
    this.isShut = false
  }

  /** After a lock or a logout. */
  checkLocked(after: string): void {
    const { broken, name } = this.parts
    if ([...this.stored.values()].some(({ keys }) => keys.some(isUsable)))
      broken('SV6', `${name} has a usable key after ${after}`)
    for (const [user, disk] of this.disks)
      for (const collection of disk.readable())
        broken('SV4', `${name} shows ${collection} of ${user} after ${after}`)
  }

  /** Something of a page happens. */
  passes(at: Armed['at']): void {
    const { armed } = this
    if (armed?.at !== at || (armed.left -= 1) > 0) return
    this.armed = null
    armed.run()
  }

  keyPort(step: Step, locks: LockManager): KeyPort {
    const { stored, known, cryptography } = this
    const keys: KeyStore = {
      async get(user) {
        await step('read')
        return stored.get(user) ?? null
      },
      async set(user, record) {
        await step('write')
        for (const { id, usable } of record.keys) if (usable instanceof ModelKey) known.set(id, usable.raw)
        stored.set(user, record)
      },
      async remove(user) {
        await step('write')
        stored.delete(user)
      },
      async all() {
        await step('read')
        return [...stored]
      },
    }
    return { keys, cryptography, locks, newId: () => `key-${(this.ids += 1)}` }
  }

  /** Where the bytes of photos lie. */
  private readonly photos = (stores: string): PhotoTables => {
    const { beside } = this
    const name = photoBytesName(stores)
    const tables = beside.get(name) ?? newPhotoTables()
    beside.set(name, tables)
    const rowsOf = (table: string) => tables.get(table)?.rows ?? new Map<string, unknown>()
    // one model for all of IndexedDB knows no types of rows
    return { bytes: rowsOf('bytes'), info: rowsOf('info') } as PhotoTables
  }

  /** Whether the bytes of a photo are there, and are opened by a key that was ever made. */
  holdsBytes(user: string, key: string): boolean {
    const stores = this.presentOf(user)
    const { bytes } = this.photos(stores).bytes.get(key) ?? {}
    if (!bytes) return false
    if (bytes instanceof ArrayBuffer) this.parts.broken('SV4', `${this.parts.name}: a photo is not sealed`)
    else this.disk(user).openedBytes(photoPlace(stores, 'bytes', key), bytes)
    return true
  }

  pagePort({ user, step, locks, wrote, otherStores }: SealOf): SealPort {
    const { disks, beside, photos, lastOpened } = this
    return {
      ...this.keyPort(step, locks),
      disk: this.storesOf,
      photos,
      indexedDB: modelIdb(() => disks.values(), beside, step),
      wrote: (disk: SealedDisk, store: SealedStore, before: Row | undefined, after: Row) => {
        const wrong = disk.wrongWith(store, after)
        if (wrong !== null) this.parts.broken('SV4', `${this.parts.name} ${wrong}`)
        wrote(disk, store, before, after)
      },
      opens(stores) {
        if ((lastOpened.get(user) ?? stores) !== stores) otherStores()
        lastOpened.set(user, stores)
      },
    }
  }
}

const newPhotoTables = () =>
  new Map(['bytes', 'info'].map((name) => [name, { keyPath: 'key', rows: new Map<string, unknown>() }]))
