/** A phone: its disk, clock and session, and the pages on it, which can be closed, die at any step, and stand still. */
import type { Session } from '#schemas/device/session.ts'
import type { PhotoBytes } from '#sync/photos/photo-store.ts'
import type { CachedAnswer } from '#sync/scheduler/api.ts'
import { BytesOnDisk } from '../bytes-on-disk.ts'
import type { StorageStep } from '../model-db.ts'
import { modelPhotoBytes } from '../model-photo-bytes.ts'
import { chanceAt } from '../random.ts'
import type { StaffUser } from './crm-state.ts'
import { keptAnswersOf } from './answer-cache.ts'
import type { Caller } from './network.ts'
import type { KeyPort, PagePort } from './page-port.ts'
import { bytesWritten, PhoneDisk, QuotaExceeded, type Room, type Written } from './phone-disk.ts'
import type { Slot } from './slots.ts'
import { lookAtLast, newTab, type Tab } from './tab.ts'
import { TabLocks } from './tab-locks.ts'
import { PhoneSeal } from './phone-seal.ts'
import { called, sealPortOf } from './phone-keys.ts'
import type { PhoneKeys } from './sealed-page.ts'
import type { PullWorld } from './world.ts'

export class Phone {
  readonly name: string
  readonly tabs: Tab[] = []
  readonly disks = new Map<string, Map<string, unknown>>()
  readonly locks = new TabLocks()
  session: Session | null = null
  user: StaffUser
  isOnline = true
  isVisible = true
  readonly full: PhoneDisk
  ahead = 0
  /** It was set back: what is deleted for its age goes up to a day later (decisions/time). */
  wasSetBack = false
  diedAt = -1
  readonly seal: PhoneSeal | null
  /** The password that each user's data was last opened with. */
  readonly openedWith = new Map<string, string>()
  private readonly memories = new Map<string, string>()
  private readonly photoBytes = new Map<string, BytesOnDisk>()
  private readonly answers = new Map<string, CachedAnswer>()
  private rolls = 0
  readonly world: PullWorld
  private readonly number: number
  readonly shipped: (port: KeyPort) => PhoneKeys

  constructor(world: PullWorld, number: number, user: StaffUser, shipped: (port: KeyPort) => PhoneKeys) {
    this.world = world
    this.shipped = shipped
    this.number = number
    this.name = `phone${number}`
    this.user = user
    this.full = new PhoneDisk(world.time, world.witness.broken)
    const { seed, config } = world.plan
    let draws = 0
    const random = () => chanceAt(seed, 71 + number, (draws += 1))
    this.seal = config.sealed
      ? new PhoneSeal({ random, broken: world.witness.broken, name: this.name })
      : null
  }

  now = () => this.world.time.now + this.ahead
  chance = () => chanceAt(this.world.plan.seed, 31 + this.number, (this.rolls += 1))

  signIn(user: StaffUser): void {
    const { tokens } = this.world
    this.user = user
    const userInfo = {
      id: user.id,
      supplierStaffId: user.staff,
      supplierId: user.supplier,
      userFlag: 5,
      loginUserName: user.id,
    }
    this.session = { ...tokens.issue(user.staff), userInfo, userName: user.id, expired: false }
    this.sessionChanged()
  }

  private sessionChanged(): void {
    for (const { page } of this.tabs) page?.session(this.session)
  }

  /** The page of a tab that leads, or waits. */
  page = (): Tab | undefined => this.tabs.find(({ page, thawsAt }) => page && thawsAt <= this.world.time.now)

  disk(): Map<string, unknown> {
    if (this.seal) return this.seal.disk(this.user.id).asMemory()
    const disk = this.disks.get(this.user.id) ?? new Map<string, unknown>()
    this.disks.set(this.user.id, disk)
    return disk
  }

  holdsBytes(key: string): boolean {
    if (this.seal) return this.seal.holdsBytes(this.user.id, key)
    return this.photoBytes.get(this.user.id)?.rows.has(key) === true
  }

  async open(slot: Slot): Promise<void> {
    const { time, note, early } = this.world
    const tab = newTab(slot, `${this.name}-${slot.number}-${slot.opened()}`)
    note(`${tab.name} opens for ${this.user.id}`)
    slot.realm.enter({ time, wall: this.now, random: this.chance, thawsAt: () => tab.thawsAt, early })
    this.tabs.push(tab)
    lookAtLast(this.tabs, this.isVisible)
    const page = await slot.openPage(this.portOf(tab)).catch((error: unknown) => this.notOpened(tab, error))
    if (!page) return
    if (tab.alive) tab.page = page
    else page.drop()
  }

  /** Locked, or logged out, meanwhile. */
  private notOpened(tab: Tab, error: unknown): null {
    if (!this.seal?.wantsLock && !this.seal?.isBusy) throw error
    this.world.note(`${tab.name} finds a lock`)
    this.gone(tab)
    return null
  }

  private gone(tab: Tab): void {
    if (!tab.alive) return
    tab.alive = false
    this.tabs.splice(this.tabs.indexOf(tab), 1)
    this.left(tab)
  }

  private left(tab: Tab): void {
    tab.slot.realm.leave()
    lookAtLast(this.tabs, this.isVisible)
    this.locks.left()
    this.world.witness.pageLeft(this)
  }

  /** The page is gone at once. */
  kill(tab: Tab): void {
    if (!tab.alive) return
    this.world.note(`${tab.name} dies`)
    tab.alive = false
    tab.isDead = true
    this.diedAt = this.world.time.now
    this.tabs.splice(this.tabs.indexOf(tab), 1)
    ;(tab.page ?? tab.closing)?.drop()
    this.left(tab)
    this.world.died(this.name, tab.stopped)
  }

  async close(tab: Tab): Promise<void> {
    this.world.note(`${tab.name} closes`)
    const { page } = tab
    tab.page = null
    tab.closing = page
    tab.isStopping = true
    await page?.stop()
    tab.stopped = true
    await page?.close()
    this.gone(tab)
  }

  online(is: boolean): void {
    this.isOnline = is
    for (const { page } of this.tabs) page?.online(is)
  }

  /** @param room what the disk takes from now on */
  takes(room: Room): void {
    this.world.note(`${this.name} has room: ${room}`)
    this.full.turns(room, this.isOpen)
  }

  /** A page that could say something. */
  readonly isOpen = (name: string): boolean =>
    this.tabs.some((tab) => tab.page && tab.name === name && tab.thawsAt === 0)

  show(is: boolean): void {
    lookAtLast(this.tabs, (this.isVisible = is))
  }

  private callerOf(tab: Tab): Caller {
    return {
      name: tab.name,
      phone: this.name,
      isAlive: () => tab.alive,
      isOnline: () => this.isOnline,
      isStopping: () => tab.isStopping,
      isStopped: () => tab.stopped,
      thawed: () => this.thawed(tab),
      served: (kind, name, at) => this.world.witness.served(this, kind, name, at),
      misled: () => this.world.witness.misled(this),
      read: (path, isStruck) => this.world.witness.read(this, path, isStruck),
    }
  }

  async thawed(tab: Pick<Tab, 'thawsAt' | 'alive'>): Promise<void> {
    const { time } = this.world
    while (tab.thawsAt > time.now) await time.sleep(tab.thawsAt - time.now)
    if (!tab.alive) await new Promise(() => undefined)
  }

  /** One step of a page's storage: see `PagePort`. */
  private step(tab: Tab, kind: 'read' | 'write', written?: Written): Promise<void> | undefined {
    if (!tab.alive) return new Promise(() => undefined)
    this.seal?.passes('step')
    if (tab.strikeIn > 0 && (tab.strikeIn -= 1) === 0) {
      const { time } = this.world
      if (this.chance() < 0.5 || kind === 'read') {
        this.kill(tab)
        return new Promise(() => undefined)
      }
      // after this very write
      time.after(0, () => this.kill(tab))
    }
    if (tab.thawsAt > this.world.time.now) return this.thawed(tab)
    if (written && tab.page && this.full.refuses(tab.name, written))
      return Promise.reject(new QuotaExceeded())
    const chance = this.chance()
    const ms =
      (chance > 0.04 ? 0 : Math.floor(chance * 1_000)) + (written ? this.full.writeTakes(tab.name) : 0)
    return ms === 0 ? undefined : this.world.time.sleep(ms).then(() => this.thawed(tab))
  }

  private portOf(tab: Tab): PagePort {
    const { world, name } = this
    const { time, network, witness } = world
    const user = this.session?.userInfo
    if (!user) throw new Error('nobody is signed in')
    const caller = this.callerOf(tab)
    const disk = this.disk()
    const locks = this.locks.of({ name: tab.name, isAlive: () => tab.alive, thawed: () => this.thawed(tab) })
    return {
      ...sealPortOf(this, tab, { locks, step: (kind) => this.step(tab, kind) }),
      name: tab.name,
      diskName: `genba-${user.id}`,
      disk,
      user,
      hasTabs: true,
      isOnline: this.isOnline,
      isVisible: this.isVisible,
      storage: (kind, of, written) => this.full.brokenOff(tab, kind, of) ?? this.step(tab, kind, written),
      wrote: (collection, before, after) => witness.wrote(this, collection, before, after),
      isAlive: () => tab.alive,
      fetch: (url, init) => {
        this.full.called(tab.name)
        called(this, tab, url, init.method)
        return network.fetch(caller, url, init)
      },
      session: {
        read: async () => this.session,
        replace: async (known, next) => {
          const isHeld = this.session?.accessToken === known.accessToken
          if (isHeld) {
            this.session = next
            this.sessionChanged()
          }
          return isHeld
        },
      },
      memory: (key) => this.memoryOf(tab, key),
      ...(world.plan.config.etags && { answers: keptAnswersOf(this.answers, this.user.id) }),
      bytes: this.bytesOf(tab),
      moved: (transition) => witness.moved(name, transition),
      locks: world.plan.config.hasLocks ? locks : undefined,
      say: (word) => {
        for (const other of this.tabs)
          if (other !== tab) time.after(2, () => void this.thawed(other).then(() => other.page?.hear(word)))
      },
      now: this.now,
      ran: () => time.now,
      random: this.chance,
      // an error is told as it is
      report: (problem: unknown) => {
        this.full.reported(tab.name, String(problem))
        witness.reported(`${name}: ${String(problem)}`)
      },
      storageFull: (isFull) => this.full.says(tab.name, isFull),
      leadershipLost: () => witness.leadershipLost(tab.name, tab.thawsAt > 0),
    }
  }

  private memoryOf(tab: Tab, key: string) {
    const whole = ['stamp', 'time', 'crm', 'files'].includes(key) ? key : `other-${key}`
    return {
      get: () => this.memories.get(whole) ?? null,
      set: (text: string) => {
        if (!tab.alive) return
        this.memories.set(whole, text)
        for (const other of this.tabs)
          if (other !== tab && other.page) this.world.time.after(2, () => other.page?.memoryChanged())
      },
    }
  }

  private bytesOf(tab: Tab): PhotoBytes {
    const disk = this.photoBytes.get(this.user.id) ?? new BytesOnDisk()
    this.photoBytes.set(this.user.id, disk)
    const step: StorageStep = async (kind, run, size) => {
      await this.step(tab, kind, kind === 'write' ? bytesWritten(size) : undefined)
      return run()
    }
    return { ...modelPhotoBytes(disk, step, this.now), release: async () => undefined }
  }
}
