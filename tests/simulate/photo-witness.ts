/**
 * The witness of photos: knows every photo a person took and what the file store did, and nothing of how the lane works.
 * Photos are told apart by their size, which no two share.
 */
import { CREATING_KINDS } from '#schemas/changes/change-queue.ts'
import { UPLOADS_AT_ONCE } from '#schemas/limits.ts'
import { photoItem } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { Answer } from '#sync/transport/outcome.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import type { Disk, DiskWrite } from './disk.ts'
import { fileCall, fileIn, type ModelFileStore } from './model-file-store.ts'
import type { FileWitness, Link } from './network-witness.ts'
import { toldFolder } from './photo-folders-told.ts'
import type { Proc } from './scheduler.ts'
import { isFirstPhoto, isSame, newShot, type Shot } from './shot.ts'

interface Parts {
  files: ModelFileStore
  broken: (rule: string, text: string) => void
  now: () => number
}

/** No call for a folder takes longer. */
const CALL_MS = 20_000

export class PhotoWitness implements FileWitness {
  readonly stats = { photos: 0, photosThere: 0, photosParked: 0 }
  private readonly shots = new Map<string, Shot>()
  private readonly uploads = new Map<Proc, number>()
  private readonly making = new Map<string, { proc: Proc; since: number }>()
  /** Requests whose record the CRM has, or had. */
  private readonly recorded = new Set<string>()
  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
  }

  private broken = (rule: string, text: string) => this.parts.broken(rule, text)

  // ── what a person does ──

  taken = (key: string, bytes: ArrayBuffer) => void this.shots.set(key, newShot(key, bytes))
  changes = (key: string, stamp: string) => void this.shots.get(key)?.changes.add(stamp)
  discardAsked = (key: string, { kind, stamp }: { kind: string; stamp: string }) =>
    void this.shots.get(key)?.discards.add(kind === 'upload' ? key : stamp)

  saved(disk: Disk, recordKey: string, keys: readonly string[]): void {
    // its record was thrown away while the form was open: the draft keeps it
    const isDraft = disk.records().every(({ key }) => key !== recordKey)
    for (const key of keys) {
      const shot = this.shots.get(key)
      if (shot?.saved) shot.confirmed = true
      else if (!isDraft || !isNamed(disk, key))
        this.broken('SV1', `${key} was called saved and is not on ${disk.name}`)
    }
  }

  wishKept(key: string, { kind }: { kind: string }, what: Shot['wish']): void {
    const shot = this.shots.get(key)
    if (!shot) return
    if (kind === 'upload') shot.wish = what
    // 破棄 of what was in doubt is a deletion, and that can be taken back
    else if (kind === 'delete' && what === 'discard') shot.wish = 'none'
  }

  // ── what the disk sees ──

  watch(device: string, disk: Disk): void {
    disk.watchers.push((write) => {
      if (write.table === 'photos') this.photoWritten(device, disk, write)
    })
    disk.bytes.watchers.push((key) => this.bytesGone(disk, key))
  }

  private photoWritten(device: string, disk: Disk, write: Extract<DiskWrite, { table: 'photos' }>): void {
    const { before, after } = write
    const shot = this.shots.get(write.key)
    if (!shot) return
    if (!after) {
      if (before?.unsent === 'yes') this.broken('SV3', `${shot.key} vanished`)
      return
    }
    if (!before && !shot.saved) {
      const { recordKey, requestId } = after
      shot.saved = { device, disk, recordKey, requestId }
      this.stats.photos += 1
    }
    if (before) this.photoChanged(shot, before, after)
    else this.wants(shot, after)
  }

  private wants = (shot: Shot, { name, wanted }: PhotoRecord) => Object.assign(shot, { name, wanted })

  private photoChanged(shot: Shot, before: PhotoRecord, after: PhotoRecord): void {
    const { key } = shot
    const isPersons = before.stamp !== after.stamp && shot.changes.has(after.stamp)
    const isTakenBack = shot.discards.has(before.stamp) || shot.discards.has(key) || !shot.confirmed
    const isGivenUp = before.state !== 'discarded' && after.state === 'discarded'
    if (isGivenUp && !isTakenBack && shot.wanted === 'kept')
      this.broken('SV3', `${key} discarded, nobody asked for it`)
    if (isPersons || isTakenBack) this.wants(shot, after)
    else if (after.name !== shot.name) this.broken('SV3', `${key} lost its name ${shot.name}`)
    else if (after.wanted !== shot.wanted) this.broken('SV3', `${key}: ${shot.wanted} became ${after.wanted}`)
    if (before.fileSeq === after.fileSeq) return
    if (!shot.arrived) this.broken('ST1', `${key} counted as sent, the file store never had it`)
  }

  private bytesGone(disk: Disk, key: string): void {
    const shot = this.shots.get(key)
    const isUnsent = disk
      .photoRows()
      .some((photo) => photo.key === key && photo.fileSeq === '' && photo.unsent === 'yes')
    if (shot && !shot.arrived && (isUnsent || (!shot.saved && isNamed(disk, key))))
      this.broken('SV3', `the bytes of ${key} are gone`)
  }

  // ── what the network sees ──

  /** The CRM has a record for this request. */
  recordMade = (requestId: string) => void this.recorded.add(requestId)

  private shotIn(call: HttpCall): Shot | undefined {
    const size = fileIn(call)?.size
    return [...this.shots.values()].find(({ bytes }) => bytes.byteLength === size)
  }

  dispatched(link: Link, call: HttpCall, user: string): void {
    const { what, folderId } = fileCall(call)
    if (what === 'folders/create') return this.folderAsked(link, `${folderId} ${call.body ?? ''}`)
    if (what !== 'files/upload') return
    const now = (this.uploads.get(link.proc) ?? 0) + 1
    this.uploads.set(link.proc, now)
    if (now > UPLOADS_AT_ONCE) this.broken('OR1', `${now} uploads at once`)
    const shot = this.shotIn(call)
    if (!shot?.saved) return this.broken('SV2', 'an upload of what was never saved')
    const { key, saved } = shot
    const { disk, requestId } = saved
    const state = disk.photos.get(key)?.state
    if (user !== disk.userId) this.broken('SV4', `${key} of ${disk.userId} sent as ${user}`)
    if (state !== 'sending' && state !== 'unknown')
      this.broken('OC3', `${key} sent while it says ${state ?? 'nothing'}`)
    if (!this.recorded.has(requestId)) this.broken('OR2', `${key} sent before its record`)
    if (folderId !== this.folderOf(requestId)) this.broken('OR2', `${key} sent into another record's folder`)
    if (shot.inDoubt) this.broken('OC6', `${key} sent twice without a read-back`)
    shot.inDoubt = true
  }

  private folderOf(requestId: string): string | undefined {
    const told = toldFolder(requestId)
    return 'filePath' in told
      ? told.filePath
      : this.parts.files.folderOf(told.noteLocationFolderId, told.name)?.id
  }

  private folderAsked({ device, proc }: Link, path: string): void {
    const other = this.making.get(`${device} ${path}`)
    if (other?.proc.alive && this.parts.now() - other.since < CALL_MS)
      this.broken('OR2', `${path} made twice at once`)
    this.making.set(`${device} ${path}`, { proc, since: this.parts.now() })
  }

  acted(call: HttpCall, answer: Answer): void {
    const isDone = answer.kind === 'answer' && answer.status === 200 && isSuccess(answer)
    if (!isDone || fileCall(call).what !== 'files/upload') return
    const shot = this.shotIn(call)
    if (shot) shot.arrived = true
  }

  answered({ device, proc }: Link, call: HttpCall, answer: Answer): void {
    const { what, folderId } = fileCall(call)
    if (what === 'folders/create') this.making.delete(`${device} ${folderId} ${call.body ?? ''}`)
    const shot = what === 'files/upload' ? this.shotIn(call) : undefined
    if (shot) this.uploads.set(proc, (this.uploads.get(proc) ?? 1) - 1)
    if (answer.kind !== 'answer') return
    const { status, isJson } = answer
    const isRefusal = (status >= 400 && status < 500 && status !== 408) || status === 503 || status === 202
    if (shot && (isRefusal || (status === 200 && isJson))) shot.inDoubt = false
    const isRead = what === 'files/index' && ((status === 200 && isJson) || status === 404)
    if (!isRead) return
    for (const each of this.shots.values())
      if (each.saved?.device === device && this.folderOf(each.saved.requestId) === folderId)
        each.inDoubt = false
  }

  /** What the file store answers 500 for ever holds up no other (RULES OR3, OC8). */
  othersWent(disk: Disk | undefined): void {
    for (const { key, saved, arrived, wanted, bytes, discards } of this.shots.values()) {
      const isOther = saved?.disk === disk && !isFirstPhoto(bytes.byteLength) && wanted === 'kept'
      if (!disk || !isOther || arrived || discards.size > 0 || !this.recorded.has(saved?.requestId ?? ''))
        continue
      const state = disk.photos.get(key)?.state
      // its own record is not there for this device, though the CRM has it from elsewhere (OR2)
      const waitsForRecord = disk
        .records()
        .some(
          ({ requestId, changes }) =>
            requestId === saved?.requestId && changes.some(({ kind }) => CREATING_KINDS.includes(kind)),
        )
      if (waitsForRecord) continue
      if (state !== 'refused' && state !== 'expired') this.broken('OR3', `${key} is held up by another`)
    }
  }

  // ── the end ──

  /** Faults have stopped, everyone was signed in again, and nothing moves any more. */
  finish(): void {
    for (const shot of this.shots.values()) if (shot.saved) this.judge(shot, shot.saved)
    const names = this.parts.files.folders.map(({ parentId, name }) => `${parentId}/${name}`)
    if (new Set(names).size < names.length) this.broken('OR2', `folders made twice: ${names.join()}`)
  }

  private judge(shot: Shot, { disk, requestId, recordKey }: NonNullable<Shot['saved']>): void {
    const { key } = shot
    const files = this.parts.files.files.filter(({ bytes }) => bytes.byteLength === shot.bytes.byteLength)
    // a call that was delivered twice, or came after it was looked for, is nobody's fault
    const isExcused = files.some(({ extra }) => extra)
    const photo = disk.photoRows().find((row) => row.key === key)
    const item = photo ? photoItem(photo) : null
    if (files.length > 1 && !isExcused) this.broken('SV2', `${key} is there ${files.length} times`)
    for (const { bytes, folderId } of files) {
      if (!isSame(shot.bytes, bytes)) this.broken('SV2', `${key} has other bytes there`)
      if (folderId !== this.folderOf(requestId)) this.broken('OR2', `${key} is in another record's folder`)
    }
    if (!photo || (photo.wanted === 'deleted' && !item)) {
      if (files.length > 0 && !isExcused) this.broken('SV2', `${key} was given up and is there`)
      return
    }
    if (photo.wish !== 'none') this.broken('SV2', `${key}: ${photo.wish} was asked for and not done`)
    if (shot.wish === 'discard' && item?.change.kind === 'upload')
      this.broken('SV2', `${key}: 破棄 was asked for and forgotten`)
    if (photo.fileSeq === '' && !isSame(shot.bytes, disk.bytes.rows.get(key)?.bytes))
      this.broken('SV3', `${key} is not sent, and its bytes are not here`)
    if (item) return this.judgeUnsent(shot, item, disk, recordKey)
    this.stats.photosThere += 1
    const isThere = files.some(({ name, seq }) => name === shot.name && seq === photo.fileSeq)
    if (!isThere) this.broken('SV2', `${key} counts as sent and is not there as ${shot.name}`)
  }

  private judgeUnsent(
    { key }: Shot,
    { state, change }: NonNullable<ReturnType<typeof photoItem>>,
    disk: Disk,
    recordKey: string,
  ): void {
    this.stats.photosParked += 1
    const isParked = state === 'failed' || state === 'expired'
    // it waits for its record, which is itself to be seen in the queue
    const record = disk.records().find((each) => each.key === recordKey)
    const isWaiting = change.kind === 'upload' && record?.serverId === '' && record.changes.length > 0
    if (!isParked && !isWaiting) this.broken('SV2', `${change.kind} of ${key} is still ${state} at the end`)
  }
}

/** A form's draft has it. */
const isNamed = (disk: Disk, key: string) =>
  [...disk.drafts.values()].some(
    ({ photos, _deleted }) => !_deleted && photos.some((photo) => photo.key === key),
  )

const isSuccess = ({ body }: { body: unknown }) => (body as { success?: boolean }).success === true
