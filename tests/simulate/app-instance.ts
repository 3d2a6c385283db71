/**
 * The app in one tab for one user, put together as `start-sync.ts` does it: the real sender, wishes, ledger, queue store,
 * tokens, API, push handler, gates and circuits, on a model of the database, the locks and the network. RxDB's loop around the
 * push handler is a model, since its timers are real.
 */
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import { PHOTOS } from '#schemas/photo-queue.ts'
import { isPushCollection } from '#schemas/push-collections.ts'
import { loginUserId } from '#schemas/login-user-id.ts'
import type { UserInfo } from '#schemas/session.ts'
import { backoffDelay } from '#sync/lib/backoff.ts'
import { GateClosed } from '#sync/transport/gate.ts'
import { beginTelling } from '#sync/runtime/connectivity.ts'
import { pushWith } from '#sync/queue/push.ts'
import { rxQueueStore, type QueueStore } from '#sync/queue/queue-store.ts'
import { resumeQueue } from '#sync/queue/resume-queue.ts'
import { createSender } from '#sync/queue/sender.ts'
import { createApi } from '#sync/transport/api.ts'
import { RANKS } from '#sync/transport/turns.ts'
import { HoldOver, type Locks } from '#sync/leadership/hold.ts'
import { createSessionTokens } from '#sync/transport/session-tokens.ts'
import { createDecisions, type Decisions } from '#sync/queue/decisions.ts'
import { settleDrafts } from '#data/save-draft.ts'
import type { Clock } from '#lib/time/stamp.ts'
import { appWay, datedBy, wakeOf, type AppWay } from './app-way.ts'
import { createAgeCheck } from '#sync/queue/age-check.ts'
import { createTimeKeeper, type TimeKeeper } from '#sync/lib/time-keeper.ts'
import { withDefect, type Defect, type Seat } from './defect.ts'
import { REFRESH_URL, REST } from './model-crm.ts'
import { modelDb, type Disk, type DiskWrite, type Reader } from './model-db.ts'
import { PhotoApp } from './photo-app.ts'
import { TIMEOUT_MS } from './calls.ts'
import { Proc, sleepIn } from './scheduler.ts'
import type { Phone } from './world.ts'

/** RxDB's own wait between two tries of a push (`push.ts`). */
const RETRY_MS = 10

export class AppInstance {
  readonly proc: Proc
  readonly db: ReturnType<typeof modelDb>
  readonly disk: Disk
  /** What this tab knows of the disk. */
  readonly reader: Reader
  leads = false
  /** What a crash cut short is ended: from here on people work with it. */
  isOpen = false
  readonly photos: PhotoApp
  private readonly device: Phone
  private readonly clock: Clock
  private readonly defect: Defect
  private readonly store: QueueStore
  private readonly locks: Locks
  private readonly wishes: Decisions
  private readonly push: () => Promise<void>
  private terms = 0
  private dirty = false
  private wishTurns = 0
  private hasDuties = false
  private readonly way: AppWay
  private readonly keeper: TimeKeeper
  private readonly stopped = new AbortController()

  constructor(device: Phone, tab: Proc, user: UserInfo, disk: Disk, clock: Clock) {
    this.device = device
    this.clock = clock
    this.disk = disk
    this.proc = new Proc(tab)
    this.defect = device.world.defect
    const { defect, proc } = this
    const { network } = device.world
    const { time, config } = device.world
    const opened = time.now
    this.reader = {
      now: () => time.now,
      knowsUntil: () => Math.max(opened, time.now - config.hearsLateMs),
    }
    this.db = modelDb(disk, device.storageSteps(proc, device.world.strikes), this.reader)
    const seat: Seat = { userId: user.id, phone: device, sleep: this.sleep }
    const store = withDefect(rxQueueStore(this.db, this.unknown), defect.store, seat)
    const locks = device.locks.of(proc)
    this.store = store
    this.locks = defect.locks?.(locks) ?? locks
    const crash = () => device.crash(proc, true)
    const link = { device: device.name, proc, crash }
    const { signal: stopped } = this.stopped
    const wire = network.http({ ...link, stopped })
    this.way = appWay(device, proc, user.id, network.http(link))
    const { circuits, connectivity } = this.way
    this.keeper = this.timeKeeper()
    const dated = datedBy(this.keeper, defect.http?.(wire) ?? wire, () => (config.undated ? null : time.now))
    const http = circuits.crm.guard(dated, { stopped })
    const kept = device.sessionStore(proc)
    const sessions = defect.sessions?.(kept, seat) ?? kept
    const tokens = createSessionTokens({
      store: sessions,
      http,
      locks: this.locks,
      refreshUrl: REFRESH_URL,
      userId: user.id,
    })
    const plainApi = createApi({
      http,
      tokens,
      rest: REST,
      now: clock.now,
      begin: beginTelling(connectivity, circuits.crm, stopped),
    })
    const api = defect.api?.(plainApi, seat) ?? plainApi
    const sender = createSender({
      store,
      api,
      locks: this.locks,
      clock: { ...clock, now: this.keeper.ofSaves },
      elapsed: () => time.now,
      limitMs: defect.looksOnce ? 0 : TIMEOUT_MS,
      wake: wakeOf(device, store, this.sleep),
      userId: user.id,
      loginUserId: loginUserId(user),
    })
    const wishStore = withDefect(store, defect.wishStore, seat)
    this.wishes = createDecisions({ store: wishStore, locks: this.locks, now: clock.now })
    const ageCheck = createAgeCheck(this.keeper, api, loginUserId(user))
    const drain = async () => (await ageCheck()) ?? sender.drain()
    this.push = pushWith({ drain }, this.way.gateOf(circuits.crm, RANKS.push))
    this.photos = new PhotoApp({
      device,
      proc,
      disk,
      user,
      http: circuits.files.guard(wire, { stopped }),
      sessions: kept,
      tokens,
      seat,
      reader: this.reader,
      locks: this.locks,
      now: this.keeper.ofSaves,
      ageCheck,
      gate: () => this.way.gateOf(circuits.files, RANKS.push),
      nudge: this.way.nudge,
      unknown: this.unknown,
      failed: this.failed,
    })
    disk.watchers.push((write) => {
      const isOwn = !write.author || write.author === this.reader
      if (isOwn || config.hearsLateMs === 0) this.diskWritten(write)
      else time.after(config.hearsLateMs, () => this.diskWritten(write))
    })
  }

  /** What a row of the ledger was told and does not know (RULES OC1): where tabs hear late, they may tell it once more. */
  private readonly unknown = (problem: string) => {
    const { witness, config } = this.device.world
    if (config.hearsLateMs === 0) witness.broken('OC1', problem)
    else witness.note(`  ${problem}`)
  }

  private timeKeeper(): TimeKeeper {
    const { device, defect } = this
    const { time } = device.world
    const keeper = createTimeKeeper({
      wall: device.now,
      monotonic: () => time.now,
      memory: device.timeMemory,
    })
    return defect.timeKeeper?.(keeper, device.now) ?? keeper
  }

  /** Another tab has written what the circuits remember. */
  heard(): void {
    const { crm, files } = this.way.circuits
    crm.heard()
    files.heard()
  }

  /** As at a logout: what is under way ends, and nothing runs for this user any more. */
  stop(): void {
    this.stopped.abort()
    this.device.world.time.after(0, () => this.proc.kill())
  }

  sleep = (ms: number) => sleepIn(this.device.world.time, this.proc, ms)

  /** Ends the saves that a crash cut short. */
  async open(): Promise<void> {
    const { photos, clock, disk, device } = this
    const newId = () => `c${(device.world.ids += 1)}`
    const saver = { db: photos.db, bytes: photos.bytes, clock, newId, userId: disk.userId, offline: false }
    while (!this.isOpen)
      try {
        await settleDrafts(saver)
        this.isOpen = true
      } catch (error) {
        this.failed(error)
        await this.sleep(1_000)
      }
  }

  /** This tab leads from now on: RxDB pushes, what a crash left is resumed, wishes are granted. */
  async lead(): Promise<void> {
    if (this.leads) return
    this.leads = true
    this.device.world.witness.ownFaults.leads(this.device.name, this.proc)
    this.dirty = !this.device.world.config.checkpointLies
    // as `start-sync.ts` counts what was run, from the start on
    this.keeper.borneOut()
    void this.pushing((this.terms += 1))
    this.hasDuties = true
    this.grantWishes()
    this.photos.start()
    if (!this.defect.noResume) await this.resume()
  }

  /** Another tab has taken its place: it hears of it when it has thawed. */
  async stepBack(): Promise<void> {
    await this.sleep(this.device.chance() * 50)
    this.leads = false
    this.hasDuties = false
    this.photos.stop()
    await this.photos.ended()
    this.device.poke()
  }

  private async resume(): Promise<void> {
    for (let times = 1; this.proc.alive && this.leads; times += 1)
      try {
        return await resumeQueue(this.store, this.locks, this.keeper.ofSaves)
      } catch (error) {
        this.failed(error)
        await this.sleep(backoffDelay(times, this.device.chance()))
      }
  }

  private readonly failed = (error: unknown) => {
    if (error instanceof HoldOver) return
    if (!(error instanceof Error) || error.name !== 'QuotaExceededError') throw error
  }

  // ── RxDB's part: calls the handler for what was written, again when it throws, sometimes two at once ──

  private async pushing(term: number): Promise<void> {
    const isOver = () => !this.leads || this.terms !== term
    while (this.proc.alive) {
      await this.device.until(this.proc, () => this.dirty || isOver())
      if (isOver()) return
      this.dirty = false
      const handled = () => this.handled(isOver)
      const handlers = this.device.chance() < 0.2 ? [handled(), handled()] : [handled()]
      await Promise.all(handlers)
    }
  }

  private async handled(isOver: () => boolean): Promise<void> {
    while (this.proc.alive && !isOver()) {
      try {
        return await this.push()
      } catch (error) {
        if (error instanceof GateClosed) return
        this.device.world.witness.note(`  push: ${String(error)}`)
        if (error instanceof TypeError || error instanceof ReferenceError) throw error
      }
      await sleepIn(this.device.world.time, this.proc, RETRY_MS)
    }
  }

  private diskWritten(write: DiskWrite): void {
    if (!this.proc.alive || !this.leads) return
    this.photos.written(write)
    if (isPushCollection(write.table)) {
      this.dirty = true
      this.device.poke()
    } else if (
      write.table === 'ledger' &&
      ((write.before?.wish ?? 'none') !== 'none' || (write.after?.wish ?? 'none') !== 'none')
    )
      this.device.world.time.after(1, () => this.grantWishes())
  }

  private grantWishes(): void {
    const wished = [...this.disk.entries().values()].filter(
      ({ wish, resource }) => wish !== 'none' && resource !== PHOTOS,
    )
    if (!this.proc.alive || !this.hasDuties || wished.length === 0) return
    const turn = (this.wishTurns += 1)
    void this.granting(wished, turn)
  }

  private async granting(wished: LedgerEntry[], turn: number): Promise<void> {
    this.way.nudge()
    for (let times = 1; this.wishTurns === turn; times += 1)
      try {
        return await this.wishes.grant(wished)
      } catch (error) {
        this.failed(error)
        await this.sleep(backoffDelay(times, this.device.chance()))
      }
  }
}
