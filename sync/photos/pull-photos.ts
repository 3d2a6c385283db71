/**
 * Reads other people's photos when a screen requests the list of a record or the bytes of a photo (`bytesAsked`), a few
 * at once (RULES PL8, PL9). A request without an answer delays no other request. A file whose upload is in progress is
 * not shown twice. A photo that was deleted elsewhere is removed here, unless it has unsent work (PL1, PL3).
 */
import { debounceTime, defer, exhaustMap, retry, share, takeUntil, tap, type Observable } from 'rxjs'
import { blankProgress } from '#schemas/changes/change-queue.ts'
import { FROM_FILE_STORE } from '#schemas/changes/photo-queue.ts'
import type { Interest } from '#schemas/device/interest.ts'
import { photoTypeOf } from '#schemas/resources/photo-name.ts'
import type { FileWire, PhotoRecord } from '#schemas/resources/photo.ts'
import { isStoredAs, isStoredName } from '#schemas/stored-text.ts'
import { legible } from '#schemas/text.ts'
import type { Gate } from '#sync/scheduler/scheduler.ts'
import type { FetchAnswer } from '#sync/storage/database.ts'
import { again } from '../lib/backoff.ts'
import { digest } from '#sync/wire/request.ts'
import type { InFlight } from '../changes/replications.ts'
import type { Outcome } from '../transport/outcome.ts'
import type { FileStore } from './file-store.ts'
import { sentPlace, wasCut, type PhotoFolder } from './photo-place.ts'
import type { SendParts } from './send-photo.ts'

type PullParts = Pick<SendParts, 'store' | 'files' | 'parents' | 'userId'> & {
  answer: (answer: FetchAnswer) => Promise<void>
}

/** After this many failed reads, bytes are not read until the record is opened again. */
const FETCH_TRIES = 3

export function createPhotoPull({ store, files, parents, userId, answer }: PullParts) {
  /** Number of failed reads of bytes, by key of the photo. */
  const failures = new Map<string, number>()
  return {
    /** Reads the list of a record. @returns the failure after which it is read again; null if it was answered */
    async list(fetchRequest: Interest): Promise<Outcome | null> {
      const { resource = '', recordKey = '', requestId = '' } = fetchRequest
      const answered = async (total: number, state: FetchAnswer['state'] = 'answered') => {
        await answer({ fetchRequest, state, total })
        return null
      }
      const notRead = (outcome: Outcome) =>
        outcome.kind === 'refused' || outcome.kind === 'missing' ? answered(0, 'failed') : outcome
      const before = await store.ofRecord(resource, recordKey)
      const folder = await findFolder(files, await parents.folderOf(resource, recordKey))
      if (folder === null) return answered(0)
      if (typeof folder !== 'string') return notRead(folder)
      const index = await files.files(folder)
      if (index.kind !== 'accepted') return notRead(index)
      const local = await store.ofRecord(resource, recordKey)
      const blank = { resource, recordKey, requestId, folderId: folder, userId }
      // The file of a photo that was removed during the read is not added as somebody else's photo.
      await store.add(newPhotos(index.value, [...before, ...local], blank))
      // The user has opened the record, so bytes whose reads have failed may be requested again.
      for (const { key, bytesAsked } of local)
        if (bytesAsked === 'failed') await store.modify(key, (latest) => ({ ...latest, bytesAsked: 'no' }))
      if (!wasCut(index.value))
        for (const { key } of deletedElsewhere(index.value, before, local, folder)) await store.remove(key)
      return answered(index.value.length)
    },
    /** Reads the bytes of a photo. @returns the failure; null if no further try is needed */
    async fetch(photo: PhotoRecord): Promise<Outcome | null> {
      const { key, folderId: folder, fileSeq, storeName } = photo
      const asked = async (bytesAsked: 'no' | 'failed', known: Partial<PhotoRecord> = {}) => {
        await store.modify(key, (latest) => ({ ...latest, ...known, bytesAsked }))
        return null
      }
      if (await store.bytes.get(key)) return asked('no')
      const result = await files.bytes(folder, { fileSeq, name: storeName })
      if (result.kind !== 'accepted') {
        const isFinal = result.kind === 'refused' || result.kind === 'missing'
        if (!isFinal && isCounted(result)) failures.set(key, (failures.get(key) ?? 0) + 1)
        if (!isFinal && failures.get(key) !== FETCH_TRIES) return result
        failures.delete(key)
        await asked('failed')
        return isFinal ? null : result
      }
      failures.delete(key)
      const bytes = result.value
      await store.bytes.put(key, bytes, { cached: true })
      return asked('no', { size: bytes.byteLength, type: photoTypeOf(bytes) ?? '' })
    },
  }
}

/** False for a call that the circuit breaker stopped, which says nothing about the photo (RULES OC10). */
const isCounted = (outcome: Outcome) =>
  outcome.kind === 'unknown' || (outcome.kind === 'unreachable' && !outcome.held)

/** @returns the folder's id; null if the first upload has not created the folder yet */
async function findFolder(files: FileStore, folder: PhotoFolder): Promise<string | Outcome | null> {
  if (folder.kind === 'folder') return folder.id
  if (folder.kind !== 'make') return null
  const found = await files.folders(folder.parentId)
  if (found.kind !== 'accepted') return found
  const made = found.value.find(({ name }) => isStoredAs(folder.name, name))
  return made?.id ?? (wasCut(found.value) ? CUT : null)
}

/** Result if a folder is not in a list of maximum length: it may exist without being listed. */
const CUT: Outcome = { kind: 'refused', status: 200, reasons: [] }

/** Files that belong to no photo on this device and to no unfinished upload. */
function newPhotos(
  index: readonly FileWire[],
  local: readonly PhotoRecord[],
  blank: Pick<PhotoRecord, 'resource' | 'recordKey' | 'requestId' | 'folderId' | 'userId'>,
): PhotoRecord[] {
  const known = new Set(local.map(({ fileSeq }) => fileSeq))
  const pending = local.filter(({ fileSeq }) => fileSeq === '')
  // The file of an unfinished upload has the name in the upload's last call or the photo's present name.
  const pendingNames = pending.flatMap((photo) => [photo.name, sentPlace(photo)?.name ?? photo.name])
  const isPending = (name: string) => pendingNames.some((sent) => isStoredName(sent, name))
  return index
    .filter(({ file_seq, name }) => !known.has(file_seq) && !isPending(name))
    .map(({ file_seq, name }) => ({
      ...blank,
      ...blankProgress(''),
      ...UNKNOWN,
      ...FROM_FILE_STORE,
      key: `store-${digest([blank.folderId, file_seq])}`,
      name: legible(name),
      fileSeq: file_seq,
      storeName: name,
    }))
}

/** The fields of a photo that a folder's list does not contain. */
const UNKNOWN = {
  workingDate: '',
  placeInfo: '',
  createDate: '',
  size: 0,
  type: '',
  stamp: '',
  savedAt: '',
} as const

/** Photos that had nothing unsent before the list was read and are not in the list. */
function deletedElsewhere(
  index: readonly FileWire[],
  before: readonly PhotoRecord[],
  now: readonly PhotoRecord[],
  folder: string,
): PhotoRecord[] {
  const there = new Set(index.map(({ file_seq }) => file_seq))
  const settled = new Set(before.filter(({ unsent }) => unsent === 'no').map(({ key }) => key))
  const isHere = ({ key, unsent, wanted, folderId }: PhotoRecord) =>
    unsent === 'no' && wanted === 'kept' && folderId === folder && settled.has(key)
  return now.filter((photo) => isHere(photo) && !there.has(photo.fileSeq))
}

/** A screen's request for a list of photos or for the bytes of one photo. */
export interface PhotoFetch {
  key: string
  /** @returns the failure; null if the request has been answered */
  answer(): Promise<Outcome | null>
}

/** `due`: the open requests of the screens, in the order of display. `changed$`: emits when they may have changed. */
interface FetchParts {
  due: () => Promise<readonly PhotoFetch[]>
  changed$: Observable<unknown>
  gate: Gate
  now: () => number
}

const FETCHES_AT_ONCE = 3
const SOON_MS = 20

export interface ScreenParts extends FetchParts {
  stop$: Observable<unknown>
  random: () => number
  inFlight: InFlight
  report: (problem: string) => void
}

/** Answers requests until `stop$` emits. A storage error is reported once, and all is tried again (RULES ST4). */
export function answerScreens({ stop$, random, inFlight, report, ...parts }: ScreenParts): void {
  const changed$ = parts.changed$.pipe(debounceTime(SOON_MS), takeUntil(stop$), share())
  const untilAnswered = () => {
    let isReported = false
    const failed = (problem: unknown) => {
      if (!isReported) report(`photos: ${String(problem)}`)
      isReported = true
    }
    return defer(() => inFlight.run(() => answerPhotoFetches({ ...parts, changed$ }))).pipe(
      tap({ error: failed }),
      retry(again(random)),
    )
  }
  changed$.pipe(exhaustMap(untilAnswered), takeUntil(stop$)).subscribe()
}

/** Answers requests until none is open. @throws an error of the device's storage, once the current calls have ended */
export async function answerPhotoFetches({ due, changed$, gate, now }: FetchParts): Promise<void> {
  const inProgress = new Map<string, Promise<unknown>>()
  /** Keys of requests that failed, the oldest failure first. */
  const postponed = new Set<string>()
  const errors: unknown[] = []
  let wake: (() => void) | undefined
  const listening = changed$.subscribe(() => wake?.())

  async function attempt({ key, answer }: PhotoFetch) {
    const begunAt = now()
    postponed.delete(key)
    const failure = await answer()
    if (!failure) return gate.succeeded()
    postponed.add(key)
    gate.failed(failure.kind === 'throttled' ? failure.retryAfterMs : 0, begunAt)
  }
  /** The next request. Failed requests come last, the oldest failure first. */
  async function nextFetch() {
    const order = ({ key }: PhotoFetch) => [...postponed].indexOf(key)
    const waiting = (await due()).filter(({ key }) => !inProgress.has(key))
    return waiting.toSorted((a, b) => order(a) - order(b))[0]
  }
  try {
    for (;;) {
      // Listening begins before the read, so that a change during the read is not missed.
      const changed = new Promise<void>((resolve) => (wake = resolve))
      const next = await nextFetch()
      if (errors.length > 0) throw errors[0]
      if (!next && inProgress.size === 0) return
      if (!next || inProgress.size === FETCHES_AT_ONCE) await Promise.race([changed, ...inProgress.values()])
      else {
        await gate.passed()
        const ended = attempt(next).catch((error: unknown) => errors.push(error))
        inProgress.set(
          next.key,
          ended.finally(() => inProgress.delete(next.key)),
        )
      }
    }
  } finally {
    listening.unsubscribe()
    await Promise.allSettled(inProgress.values())
  }
}
