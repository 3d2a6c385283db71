/**
 * The photos' part of the app in one tab, put together as `start-photos.ts` does it: the real lane, sending, wishes,
 * folders, file store and its token, on models of the database, the bytes, the locks and the network.
 */
import { RETRY_MAX_MS } from '#schemas/limits.ts'
import type { UserInfo } from '#schemas/device/session.ts'
import { backoffDelay } from '#sync/lib/backoff.ts'
import type { Gate } from '#sync/scheduler/gate.ts'
import { createFileStore } from '#sync/photos/file-store.ts'
import { createFileToken } from '#sync/photos/file-token.ts'
import { createPhotoFolders } from '#sync/photos/photo-folders.ts'
import { createPhotoLane, type PhotoLane } from '#sync/photos/photo-lane.ts'
import { createPhotoStore } from '#sync/photos/photo-store.ts'
import { grantPhotoWishes } from '#sync/photos/photo-decisions.ts'
import { sendPhoto, type SendParts } from '#sync/photos/send-photo.ts'
import type { AgeCheck } from '#sync/changes/age-check.ts'
import { createFaults } from '#sync/changes/failure-attribution.ts'
import { rxQueueStore } from '#sync/changes/change-store.ts'
import { createLateChecks } from '#sync/changes/late-arrival-check.ts'
import type { Locks } from '#sync/leadership/lease.ts'
import { createInFlight } from '#sync/lib/in-flight.ts'
import type { Http } from '#sync/transport/http.ts'
import type { SessionStore, SessionTokens } from '#sync/transport/session-tokens.ts'
import type { Seat } from './defect.ts'
import type { Disk, DiskWrite, Reader } from './disk.ts'
import { modelDb } from './model-db.ts'
import { FILES } from './model-file-store.ts'
import { modelPhotoBytes } from './model-photo-bytes.ts'
import { TIMEOUT_MS } from './calls.ts'
import { toldParents } from './photo-folders-told.ts'
import { sleepIn, type Proc } from './scheduler.ts'
import type { Phone } from './world.ts'

const SOON_MS = 20
/** So long after it was sent a record is read again at the latest. */
const READ_AGAIN_MS = 2_000

interface Parts {
  device: Phone
  proc: Proc
  disk: Disk
  reader: Reader
  user: UserInfo
  http: Http
  sessions: SessionStore
  tokens: SessionTokens
  locks: Locks
  now: () => number
  ageCheck: AgeCheck
  seat: Seat
  gate: () => Gate
  /** Opens the gates of this tab. */
  nudge: () => void
  /** Told of what a state does not know. */
  unknown: (problem: string) => void
  /** What a full disk or an ended hold may do; anything else is thrown on. */
  failed: (error: unknown) => void
}

export class PhotoApp {
  readonly db: ReturnType<typeof modelDb>
  readonly bytes: ReturnType<typeof modelPhotoBytes>
  private lane: PhotoLane | null = null
  private isDue = false
  private wishTurns = 0
  private readonly work: SendParts
  private readonly sending = createInFlight()
  private readonly parts: Parts

  constructor(parts: Parts) {
    const { device, proc, disk, reader, user, http, sessions, tokens, locks, now, seat } = parts
    this.parts = parts
    const step = device.storageSteps(proc, device.world.photoStrikes)
    this.db = modelDb(disk, step, reader)
    this.bytes = modelPhotoBytes(disk.bytes, step, now)
    const { defect } = device.world
    const honest = createFileToken({ http, url: FILES, user, sessions, tokens, now })
    const token = defect.fileToken?.(honest, seat) ?? honest
    const files = createFileStore({ http, token, url: FILES, now })
    const work: SendParts = {
      store: createPhotoStore(this.db, this.bytes, parts.unknown),
      files,
      folders: createPhotoFolders(files, locks),
      parents: toldParents(disk, rxQueueStore(this.db)),
      locks,
      now,
      userId: user.id,
      faults: createFaults(),
      looks: createLateChecks(() => device.world.time.now, TIMEOUT_MS),
      wake: (ms) => void sleepIn(device.world.time, proc, ms).then(() => this.kickSoon()),
    }
    this.work = defect.photos?.(work) ?? work
  }

  start(): void {
    const { work } = this
    const { disk, gate, now, ageCheck } = this.parts
    this.lane = createPhotoLane({
      store: work.store,
      gate: gate(),
      ageCheck,
      send: (key) => this.sending.run(() => sendPhoto(work, key)),
      accepted: () => work.faults.now.accepted,
      later: () => work.wake(RETRY_MAX_MS),
      report: (problem) => this.report(problem),
    })
    for (const record of disk.records()) this.readAgain(record.key)
    this.grantWishes()
    this.kickSoon()
    work.store.sweep(now()).catch((error: unknown) => this.report(String(error)))
  }

  stop(): void {
    this.lane?.stop()
    this.lane = null
    this.wishTurns += 1
  }

  /** As `start-sync.ts` stops: what is under way comes to its end first. */
  ended = (): Promise<void> => this.sending.ended()

  /** What this tab hears of the disk while it leads. */
  written(write: DiskWrite): void {
    if (write.table === 'drafts') return
    if (
      write.table === 'photos' &&
      (write.before?.wish ?? 'none') + (write.after?.wish ?? 'none') !== 'nonenone'
    )
      this.parts.device.world.time.after(1, () => this.grantWishes())
    if (write.table === 'quickReports') this.readAgain(write.key)
    if (write.table === 'changes') this.readAgain((write.after ?? write.before)?.recordKey ?? '')
    this.kickSoon()
  }

  /** Of a record that was sent, what only the CRM knows is read a little later. */
  private readAgain(key: string): void {
    const { device, disk, proc } = this.parts
    const isSent = () => disk.records().some((record) => record.key === key && record.serverId !== '')
    if (device.world.config.untold || disk.readAgain.has(key) || !isSent()) return
    void sleepIn(device.world.time, proc, device.chance() * READ_AGAIN_MS).then(() => {
      disk.readAgain.add(key)
      this.kickSoon()
    })
  }

  kickSoon(): void {
    const { device, proc } = this.parts
    if (this.isDue) return
    this.isDue = true
    void sleepIn(device.world.time, proc, SOON_MS).then(() => {
      this.isDue = false
      this.lane?.kick()
    })
  }

  private grantWishes(): void {
    const { disk, proc } = this.parts
    const wished = disk
      .photoRows()
      .filter(({ wish }) => wish !== 'none')
      .map(({ key }) => key)
    if (!proc.alive || !this.lane || wished.length === 0) return
    const turn = (this.wishTurns += 1)
    void this.granting(wished, turn)
  }

  private async granting(wished: Parameters<ReturnType<typeof grantPhotoWishes>>[0], turn: number) {
    const { device, proc, nudge, failed } = this.parts
    for (let times = 1; this.wishTurns === turn; times += 1)
      try {
        await grantPhotoWishes(this.work)(wished)
        nudge()
        return this.kickSoon()
      } catch (error) {
        failed(error)
        await sleepIn(device.world.time, proc, backoffDelay(times, device.chance()))
      }
  }

  private report(problem: string): void {
    const { witness } = this.parts.device.world
    witness.note(`  ${problem}`)
    if (/TypeError|ReferenceError/.test(problem)) witness.violations.push(`[bug] ${problem}`)
  }
}
