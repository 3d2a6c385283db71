/** One phone: its disk, its session, its clock, its locks, and one or two tabs of the app. */
import { BehaviorSubject, Subject } from 'rxjs'
import { session as sessionSchema, type Session } from '#schemas/device/session.ts'
import type { SchedulerMemory } from '#sync/scheduler/scheduler.ts'
import { login } from '#sync/transport/login.ts'
import { loginCall } from '#sync/transport/endpoints.ts'
import { createClock, type Clock } from '#lib/time/stamp.ts'
import { AppInstance } from './app-instance.ts'
import type { ModelSessions } from './defect.ts'
import { LOGIN_URL } from './model-crm.ts'
import { Disk } from './disk.ts'
import type { StorageStep } from './model-db.ts'
import { ModelLocks } from './model-locks.ts'
import { chanceAt } from './random.ts'
import { never, Proc, sleepIn } from './scheduler.ts'
import type { Strikes } from './strikes.ts'
import type { Phone, World } from './world.ts'

interface Tab {
  proc: Proc
  clock: Clock
  app: AppInstance | null
}

const ELECTION_MS = 50
/** So long a leader does not answer before another tab takes its place. */
const SILENCE_MS = 25_000
/** So long what runs for the user before may go on: a tab in the background hears late of a login. */
const STOPPING_MS = 3_000
const STREAM = 3

export class Device implements Phone {
  readonly name: string
  readonly world: World
  readonly locks: ModelLocks
  readonly disks = new Map<string, Disk>()
  readonly tabs: Tab[] = []
  /** How far the phone's clock is off. */
  skew = 0
  session: Session | null = null
  readonly session$ = new BehaviorSubject<unknown>(null)
  readonly radio$ = new Subject<boolean>()
  /** Counts logins and logouts; which login an access token comes of. */
  private login = 0
  private readonly logins = new Map<string, number>()
  private readonly memories = new Map<string, string>()
  private memory: string | null = null
  private keptTime: string | null = null
  private readonly userIds = new Map<string, string>()
  private chances = 0
  private readonly number: number
  private waiting: { proc: Proc; holds: () => boolean; go: () => void }[] = []

  constructor(world: World, number: number) {
    this.world = world
    this.number = number
    this.name = `phone${number}`
    this.locks = new ModelLocks(world.time)
  }

  now = () => Math.floor(this.world.time.now) + this.skew
  chance = () => chanceAt(this.world.plan.seed, STREAM + this.number, (this.chances += 1))
  isSignedIn = (userId: string) => this.session?.userInfo.id === userId && !this.session.expired

  /** Resolves in this process once something holds; whoever changes anything pokes. */
  until(proc: Proc, holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve()
    return new Promise((go) => this.waiting.push({ proc, holds, go }))
  }

  poke(): void {
    const due = this.waiting.filter(({ proc, holds }) => proc.alive && holds())
    this.waiting = this.waiting.filter((waiter) => waiter.proc.alive && !due.includes(waiter))
    for (const { proc, go } of due) void sleepIn(this.world.time, proc, 0).then(go)
  }

  /** Storage as one process sees it: each step takes a moment, and can be its last. */
  storageSteps(proc: Proc, strikes: Strikes): StorageStep {
    const { time } = this.world
    return async (kind, effect) => {
      await sleepIn(time, proc, Math.floor(this.chance() * 4))
      const strike = kind === 'write' ? strikes.next() : undefined
      if (strike) this.world.witness.note(`strike: ${strike.strike} in ${this.name}`)
      const isFull = kind === 'write' && this.world.full.refuses(this.name)
      if (isFull || strike?.strike === 'quota') throw new DOMException('disk full', 'QuotaExceededError')
      if (strike?.strike === 'crashBefore') return this.endOf(proc, strike.whole)
      const result = effect()
      return strike ? this.endOf(proc, strike.whole) : result
    }
  }

  sessionStore(proc: Proc): ModelSessions {
    const step = this.storageSteps(proc, this.world.strikes)
    return {
      read: () => step('read', () => this.session),
      replace: (known, next) => {
        const swap = () => {
          const isHeld = this.session?.accessToken === known.accessToken
          if (isHeld) this.renewSession(known, next)
          return isHeld
        }
        // on a full disk the note of it stands (`src/app/session/state/session-store.ts`)
        return step('write', swap).catch((error: unknown) => {
          if (error instanceof DOMException) return swap()
          throw error
        })
      },
      overwrite: (known, next) => step('write', () => this.renewSession(known, next)),
    }
  }

  /** Of a login come its renewals, until the next login or a logout (SV4). */
  private renewSession(known: Session, next: Session): void {
    const login = this.logins.get(known.accessToken)
    if (login !== this.login)
      this.world.witness.broken('SV4', `${this.name}: a session that had ended is back`)
    this.logins.set(next.accessToken, login ?? 0)
    this.setSession(next)
  }

  setSession(session: Session | null): void {
    const before = this.session?.userInfo.id
    this.session = session
    this.world.witness.note(
      `${this.name} session: ${session ? session.userInfo.id : 'none'} ${session?.expired ? 'expired' : ''}`,
    )
    if (before !== session?.userInfo.id)
      this.world.time.after(1, () => this.tabs.forEach((tab) => this.follow(tab)))
    this.session$.next(session)
    this.poke()
  }

  /** A write of one tab is heard by the others a little later. */
  memoryOf(proc: Proc, name: string): SchedulerMemory {
    const { memories, world } = this
    return {
      get: () => memories.get(name) ?? null,
      set: (text) => {
        memories.set(name, text)
        for (const { app } of this.tabs)
          if (app && app.proc !== proc) void sleepIn(world.time, app.proc, 1).then(() => app.heard())
      },
    }
  }

  readonly timeMemory = {
    get: () => this.keptTime,
    set: (text: string) => void (this.keptTime = text),
  }

  /** The id of a user by name, once known. */
  userIdOf = (userName: string) => this.userIds.get(userName) ?? ''

  async signIn(userName: string): Promise<void> {
    const result = login(
      await this.world.network.plainHttp()(loginCall(LOGIN_URL, { userName, password: 'password' })),
      userName,
    )
    if (result.kind !== 'signed-in') throw new Error(`login: ${result.kind}`)
    this.userIds.set(userName, result.session.userInfo.id)
    this.logins.set(result.session.accessToken, (this.login += 1))
    this.setSession(sessionSchema.assert({ ...result.session, userName, expired: false }))
  }

  signOut(): void {
    this.login += 1
    const userId = this.session?.userInfo.id
    this.setSession(null)
    const disk = this.disks.get(userId ?? '')
    if (!this.world.defect.logoutClears || !disk) return
    disk.removeAll()
  }

  openTab(): void {
    const proc = new Proc()
    const clock = createClock({
      now: this.now,
      device: this.name,
      memory: {
        get: () => (this.world.defect.forgetsStamps ? null : this.memory),
        set: (stamp) => void (this.memory = stamp),
      },
    })
    const tab: Tab = { proc, clock, app: null }
    this.tabs.push(tab)
    this.follow(tab)
  }

  /** The app in a tab follows who is signed in; what ran for another user stops. */
  private follow(tab: Tab): void {
    const user = this.session?.userInfo
    if (!tab.proc.alive || tab.app?.disk.userId === user?.id) return
    const old = tab.app
    tab.app = null
    // what is under way may still end: it is this user's own, with this user's token
    if (old) this.world.time.after(this.chance() * STOPPING_MS, () => old.stop())
    if (!user) return this.elect()
    const disk = this.diskOf(user.id)
    for (const { changes } of disk.pushed())
      if (!this.world.defect.forgetsStamps) changes.forEach(({ stamp }) => tab.clock.observe(stamp))
    const app = new AppInstance(this, tab.proc, user, disk, tab.clock)
    tab.app = app
    app.proc.onDeath(() => this.world.time.after(ELECTION_MS, () => this.elect()))
    void app.open().then(() => this.elect())
  }

  private diskOf(userId: string): Disk {
    const known = this.disks.get(userId)
    if (known) return known
    const disk = new Disk(`${this.name}-${userId}`, userId)
    this.world.witness.watch(this.name, disk)
    this.world.photoWitness.watch(this.name, disk)
    this.disks.set(userId, disk)
    return disk
  }

  /** What runs for the user of a tab, once it is open. */
  private apps = () => this.tabs.flatMap(({ app }) => (app?.proc.alive && app.isOpen ? [app] : []))

  private elect(): void {
    const apps = this.apps()
    if (this.world.config.allLead) for (const app of apps) void app.lead()
    else if (!apps.some(({ leads }) => leads)) void apps[0]?.lead()
  }

  /** A tab stands still, with its locks, and nobody can tell. */
  hang(tab: Proc, ms: number): void {
    tab.frozenUntil = this.world.time.now + ms
    this.world.time.after(SILENCE_MS, () => this.takeOver())
  }

  private takeOver(): void {
    const { now } = this.world.time
    const apps = this.apps()
    const hung = apps.find(({ leads, proc }) => leads && proc.thawsAt > now)
    const next = apps.find(({ leads, proc }) => !leads && proc.thawsAt <= now)
    if (!hung || !next) return
    this.world.witness.note(`${this.name}: another tab leads`)
    void hung.stepBack().then(() => this.elect())
    void next.lead()
  }

  private endOf(proc: Proc, whole: boolean): Promise<never> {
    this.crash(proc, whole)
    return never()
  }

  /** The process ends without a goodbye; its tab, or the whole app, comes back a little later. */
  crash(proc: Proc | null, whole: boolean): void {
    const dying = this.tabs.filter((tab) => whole || tab.proc === proc || tab.app?.proc === proc)
    this.world.witness.note(`${this.name}: ${dying.length} of ${this.tabs.length} tabs crash`)
    for (const tab of dying) {
      this.tabs.splice(this.tabs.indexOf(tab), 1)
      tab.proc.kill()
      this.world.time.after(200 + this.chance() * 5_000, () => this.openTab())
    }
    proc?.kill()
  }
}
