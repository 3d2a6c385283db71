/**
 * The photos' part of the app in one tab, put together as `start-photos.ts` does it: the real handler of their push, sending,
 * wishes, folders, file store and its token, on models of RxDB, the bytes, the locks and the network.
 */
import { photoFacts } from '#schemas/changes/photo-queue.ts'
import type { UserInfo } from '#schemas/device/session.ts'
import type { Gate } from '#sync/scheduler/scheduler.ts'
import { createFileStore, createFileToken } from '#sync/photos/file-store.ts'
import { createPhotoFolders } from '#sync/photos/photo-place.ts'
import { isDone } from '#sync/changes/replications.ts'
import { createPhotoSender } from '#sync/photos/start-photos.ts'
import { createPhotoStore } from '#sync/photos/photo-store.ts'
import { applyPhotoRequests, sendPhoto, type SendParts } from '#sync/photos/send-photo.ts'
import type { HandlerParts } from '#sync/changes/send-adapter.ts'
import type { AgeCheck, PushHandler } from '#sync/changes/sender.ts'
import { createLateChecks, NO_FAULTS } from '#sync/changes/failure-attribution.ts'
import { rxQueueStore } from '#sync/changes/change-store.ts'
import type { Locks } from '#sync/leadership/lease.ts'
import { createInFlight } from '#sync/changes/replications.ts'
import type { Http } from '#sync/transport/http.ts'
import type { SessionStore, SessionTokens } from '#sync/transport/session-tokens.ts'
import type { Seat } from './defect.ts'
import type { Disk, DiskWrite, Reader } from './disk.ts'
import { modelDb } from './model-db.ts'
import { FILES } from './model-file-store.ts'
import { ModelPush } from './model-push.ts'
import { modelPhotoBytes } from './model-photo-bytes.ts'
import { TIMEOUT_MS } from './calls.ts'
import { toldParents } from './photo-folders-told.ts'
import { sleepIn, type Proc } from './scheduler.ts'
import type { Phone } from './world.ts'

const SOON_MS = 20
/** So long after it was sent a record is read again at the latest. */
const READ_AGAIN_MS = 2_000

interface Parts extends HandlerParts {
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
  push: ModelPush
}

export class PhotoApp {
  readonly db: ReturnType<typeof modelDb>
  readonly bytes: ReturnType<typeof modelPhotoBytes>
  private handler: PushHandler | null = null
  private isDue = false
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
      faults: { now: NO_FAULTS },
      readBacks: createLateChecks(() => device.world.time.now, TIMEOUT_MS),
      wake: (ms) => this.handler?.wake(ms),
    }
    this.work = defect.photos?.(work) ?? work
  }

  start(): void {
    const { work } = this
    const { disk, gate, now, push } = this.parts
    const handler = createPhotoSender({
      ...this.parts,
      store: work.store,
      gate: gate(),
      applyUserRequests: (keys) => this.sending.run(() => applyPhotoRequests(work)(keys)),
      send: (key) => this.sending.run(() => sendPhoto(work, key)),
      accepted: () => work.faults.now.accepted,
      isStopped: () => this.handler !== handler,
      failed: (problem) => this.report(problem),
    })
    this.handler = handler
    push.start(
      handler,
      disk
        .photoRows()
        .filter((photo) => !isDone(photo))
        .map(photoFacts),
    )
    for (const record of disk.records()) this.readAgain(record.key)
    handler.wake(0)
    work.store.sweep(now()).catch((error: unknown) => this.report(error))
  }

  stop(): void {
    this.parts.push.stop()
    this.handler = null
  }

  /** As `start-sync.ts` stops: what is under way comes to its end first. */
  ended = (): Promise<void> => this.sending.ended()

  /** What this tab hears of the disk while it leads. */
  written(write: DiskWrite): void {
    if (write.table === 'drafts') return
    if (write.table === 'photos') return this.photoWritten(write)
    if (write.table === 'quickReports') this.readAgain(write.key)
    if (write.table === 'changes') this.readAgain((write.after ?? write.before)?.recordKey ?? '')
    this.kickSoon()
  }

  private photoWritten({ key, before, after }: Extract<DiskWrite, { table: 'photos' }>): void {
    const { push, nudge } = this.parts
    const isOpen = after !== undefined && !isDone(after)
    push.written(key, isOpen ? photoFacts(after) : null)
    if (!after) return
    if (after.wish !== 'none' && before?.wish !== after.wish) nudge()
    const isSaved = !before || isDone(before) || after.stamp !== before.stamp
    if ((isSaved && isOpen) || after.wish !== 'none') this.handler?.enqueue(photoFacts(after))
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
      this.handler?.wake(0)
    })
  }

  private report(error: unknown): void {
    const { witness } = this.parts.device.world
    const problem = `photos: ${String(error)}`
    witness.note(`  ${problem}`)
    if (/TypeError|ReferenceError/.test(problem)) witness.violations.push(`[bug] ${problem}`)
  }
}
