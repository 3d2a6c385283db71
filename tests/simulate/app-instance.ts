/**
 * The app in one tab for one user, put together as `start-sync.ts` does it: the real sender, wishes, states, queue store,
 * tokens, API, push handler, gates and schedulers, on a model of the database, the locks and the network. RxDB's loop around the
 * push handler is a model, since its timers are real.
 */
import { loginUserId } from '#schemas/api-error.ts'
import type { UserInfo } from '#schemas/device/session.ts'
import { GateClosed } from '#sync/scheduler/scheduler.ts'
import { reportsFrom } from '#sync/runtime/connectivity.ts'
import { isDone } from '#sync/changes/replications.ts'
import { rxQueueStore, type QueueStore } from '#sync/changes/change-store.ts'
import { createAgeCheck, createSender, type PushHandler } from '#sync/changes/sender.ts'
import { createApi } from '#sync/scheduler/api.ts'
import { RANKS } from '#sync/scheduler/schedule.ts'
import { LeaseOver, type Locks } from '#sync/leadership/lease.ts'
import { createSessionTokens } from '#sync/transport/session-tokens.ts'
import { settleDrafts } from '#data/drafts/save-draft.ts'
import type { Clock } from '#lib/time/stamp.ts'
import { appWay, datedBy, type AppWay } from './app-way.ts'
import { createTrustedClock, type TrustedClock } from '#sync/lib/trusted-clock.ts'
import { withDefect, type Defect, type Seat } from './defect.ts'
import { REFRESH_URL, REST } from './model-crm.ts'
import type { Disk, DiskWrite, Reader } from './disk.ts'
import { modelDb } from './model-db.ts'
import { ModelPush } from './model-push.ts'
import { PhotoApp } from './photo-app.ts'
import { TIMEOUT_MS } from './calls.ts'
import { Proc, sleepIn } from './scheduler.ts'
import type { Phone } from './world.ts'

const TIDY_MS = 5_000

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
  private readonly locks: Locks
  private readonly senderOf: () => PushHandler
  private readonly purge: () => Promise<void>
  private sender: PushHandler | null = null
  private readonly push: ModelPush
  private readonly way: AppWay
  private readonly keeper: TrustedClock
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
    const seat: Seat = { userId: user.id, phone: device, sleep: this.sleep, photos: () => disk.photoRows() }
    const plain = rxQueueStore(this.db, this.unknown)
    const planted = withDefect(plain, defect.store, seat)
    const store: QueueStore = defect.noResume ? { ...planted, open: async () => [] } : planted
    this.purge = () => store.purge(this.keeper.saveNow())
    const locks = device.locks.of(proc)
    this.locks = defect.locks?.(locks) ?? locks
    const crash = () => device.crash(proc, true)
    const link = { device: device.name, proc, crash }
    const { signal: stopped } = this.stopped
    const wire = network.http({ ...link, stopped })
    this.way = appWay(device, proc, user.id, network.http(link))
    const { schedulers, connectivity } = this.way
    this.keeper = this.timeKeeper()
    const dated = datedBy(this.keeper, defect.http?.(wire) ?? wire, () => (config.undated ? null : time.now))
    const http = schedulers.crm.guard(dated, { stopped })
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
      scheduler: schedulers.crm,
      tokens,
      rest: REST,
      now: clock.now,
      begin: reportsFrom(connectivity, schedulers.crm, stopped),
    })
    const api = defect.api?.(plainApi, seat) ?? plainApi
    const ageCheck = createAgeCheck(this.keeper, api, loginUserId(user))
    const parts = {
      store,
      api,
      locks: this.locks,
      clock: { ...clock, now: this.keeper.saveNow },
      elapsed: () => time.now,
      limitMs: defect.looksOnce ? 0 : TIMEOUT_MS,
      wait: async (ms: number) => {
        await this.sleep(ms)
        if (!this.leads) throw new GateClosed('another tab leads')
      },
      failed: (error: unknown) => {
        device.world.witness.note(`  push: ${String(error)}`)
        if (error instanceof TypeError || error instanceof ReferenceError) throw error
      },
      userId: user.id,
      loginUserId: loginUserId(user),
    }
    this.senderOf = () =>
      createSender({ ...parts, gate: this.way.gateOf(schedulers.crm, RANKS.push), ageCheck })
    const modelPush = () =>
      new ModelPush({
        isAlive: () => proc.alive,
        until: (holds) => device.until(proc, holds),
        sleep: this.sleep,
        note: (line) => device.world.witness.note(line),
      })
    this.push = modelPush()
    this.photos = new PhotoApp({
      ...parts,
      device,
      proc,
      disk,
      user,
      http: schedulers.files.guard(wire, { stopped }),
      sessions: kept,
      tokens,
      seat,
      reader: this.reader,
      locks: this.locks,
      now: this.keeper.saveNow,
      ageCheck,
      gate: () => this.way.gateOf(schedulers.files, RANKS.push),
      nudge: this.way.nudge,
      unknown: this.unknown,
      push: modelPush(),
    })
    disk.watchers.push((write) => {
      const isOwn = !write.author || write.author === this.reader
      if (isOwn || config.hearsLateMs === 0) this.diskWritten(write)
      else time.after(config.hearsLateMs, () => this.diskWritten(write))
    })
  }

  /** An event that a state does not know (RULES OC1): where tabs hear late, one may be written once more. */
  private readonly unknown = (problem: string) => {
    const { witness, config } = this.device.world
    if (config.hearsLateMs === 0) witness.broken('OC1', problem)
    else witness.note(`  ${problem}`)
  }

  private timeKeeper(): TrustedClock {
    const { device, defect } = this
    const { time } = device.world
    const keeper = createTrustedClock({
      wall: device.now,
      monotonic: () => time.now,
      memory: device.timeMemory,
    })
    return defect.timeKeeper?.(keeper, device.now) ?? keeper
  }

  /** Another tab has written what the circuits remember. */
  heard(): void {
    const { crm, files } = this.way.schedulers
    crm.storedStateChanged()
    files.storedStateChanged()
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

  /** This tab leads from now on: RxDB pushes, what is open is given. */
  async lead(): Promise<void> {
    if (this.leads) return
    this.leads = true
    this.device.world.witness.ownFaults.leads(this.device.name, this.proc)
    // as `start-sync.ts` counts what was run, from the start on
    this.keeper.expiryNow()
    const sender = this.senderOf()
    this.sender = sender
    const { checkpointLies } = this.device.world.config
    this.push.start(sender, checkpointLies ? [] : [...this.disk.changes.values()].filter((c) => !isDone(c)))
    this.photos.start()
    if (!this.defect.noResume) sender.wake(0)
    // as `start-sync.ts` tidies
    void this.sleep(TIDY_MS).then(async () => {
      if (this.leads) await this.purge().catch(this.failed)
    })
  }

  /** Another tab has taken its place: it hears of it when it has thawed. */
  async stepBack(): Promise<void> {
    await this.sleep(this.device.chance() * 50)
    this.leads = false
    this.push.stop()
    this.photos.stop()
    await this.photos.ended()
    this.device.poke()
  }

  private readonly failed = (error: unknown) => {
    if (error instanceof LeaseOver) return
    if (!(error instanceof Error) || error.name !== 'QuotaExceededError') throw error
  }

  private diskWritten(write: DiskWrite): void {
    if (!this.proc.alive || !this.leads) return
    this.photos.written(write)
    if (write.table === 'changes') this.changeWritten(write)
    this.device.poke()
  }

  private changeWritten(write: Extract<DiskWrite, { table: 'changes' }>): void {
    const { key, before, after } = write
    this.push.written(key, after && !isDone(after) ? after : null)
    if (after && (!before || after.wish !== 'none')) {
      if (before) this.way.nudge()
      this.sender?.enqueue(after)
    }
  }
}
