/** Starts the push of photos, and the reads of lists and bytes that screens request. Runs in the leading tab only. */
import type { RxReplicationState } from 'rxdb/plugins/replication'
import { auditTime, merge, takeUntil, type Observable, type Subject } from 'rxjs'
import type { Interest } from '#schemas/device/interest.ts'
import { pushCollections } from '#schemas/collections/push-collections.ts'
import { photoFacts } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { SyncDatabase } from '../storage/database.ts'
import type { Gate } from '#sync/scheduler/scheduler.ts'
import type { StorageTroubles } from '../storage/storage-trouble.ts'
import { openFetchRequests$, fetchRequestAnswerer, fetchRequestsIn } from '../storage/fetch-requests.ts'
import type { Outcome } from '../transport/outcome.ts'
import type { AgeCheck } from '#sync/changes/sender.ts'
import { createLateChecks, createFaults } from '#sync/changes/failure-attribution.ts'
import type { QueueStore } from '#sync/changes/change-store.ts'
import type { HandlerParts } from '#sync/changes/push-handler.ts'
import { replicatePush } from '#sync/changes/replications.ts'
import { RANKS, type Rank } from '#sync/scheduler/schedule.ts'
import type { Ticks } from '../lib/backoff.ts'
import { createFileStore, createFileToken, type FileTokenParts } from './file-store.ts'
import { createPhotoFolders, photoParents, type PhotoParents } from './photo-place.ts'
import { createPhotoSender, isPhotoDone } from './photo-sender.ts'
import { type PhotoBytes, createPhotoStore } from './photo-store.ts'
import { answerScreens, createPhotoPull, type PhotoFetch, type ScreenParts } from './pull-photos.ts'
import { applyPhotoRequests, sendPhoto, type SendParts } from './send-photo.ts'

type Shared = Omit<HandlerParts, 'elapsed'> & FileTokenParts & Omit<ScreenParts, 'due' | 'changed$' | 'gate'>

interface PhotoParts extends Shared, Pick<SendParts, 'locks'> {
  db: SyncDatabase
  store: QueueStore
  bytes: PhotoBytes
  /** Finds the folders of photos, by default in the records that the CRM has confirmed. */
  parents?: PhotoParents | undefined
  ageCheck: AgeCheck
  ticks: Ticks
  /** Time limit of one call, in milliseconds. */
  limitMs: number
  gate: (rank: Rank) => Gate
  nudge$: Subject<void>
  troubles: StorageTroubles
}

const SOON_MS = 20

export function startPhotos(parts: PhotoParts): RxReplicationState<PhotoRecord, unknown> {
  const { db, store: queue, locks, now, ticks, nudge$, stop$, report, inFlight } = parts
  const files = createFileStore({ ...parts, token: createFileToken(parts) })
  const store = createPhotoStore(db, parts.bytes, report)
  const work: SendParts = {
    store,
    files,
    folders: createPhotoFolders(files, locks),
    parents: parts.parents ?? photoParents(queue),
    locks,
    now,
    userId: parts.user.id,
    faults: createFaults(),
    readBacks: createLateChecks(ticks.now, parts.limitMs),
    wake: (ms) => handler.wake(ms),
  }
  let isStopped = false
  const handler = createPhotoSender({
    ...parts,
    store,
    gate: parts.gate(RANKS.push),
    applyUserRequests: (keys) => inFlight.run(() => applyPhotoRequests(work)(keys)),
    send: (key) => inFlight.run(() => sendPhoto(work, key)),
    accepted: () => work.faults.now.accepted,
    isStopped: () => isStopped,
    elapsed: ticks.now,
  })
  const push = replicatePush({
    ...parts,
    collection: db.photos,
    identifier: 'crm-photos',
    isDone: isPhotoDone,
    refOf: photoFacts,
    handler,
  })
  stop$.subscribe(() => {
    isStopped = true
    void inFlight.run(() => push.cancel())
  })
  // A photo can be sent once it is saved, its record is accepted and its folder is known.
  merge(db.changes.$, ...pushCollections.map((name) => db[name].$), nudge$)
    .pipe(auditTime(SOON_MS), takeUntil(stop$))
    .subscribe(() => handler.wake(0))
  handler.wake(0)
  void inFlight.run(() => store.sweep(now())).catch(report)
  answerPhotos(parts, createPhotoPull(work))
  return push
}

/** Answers the screens' requests for lists and bytes (decisions/pull). */
function answerPhotos(parts: PhotoParts, pull: ReturnType<typeof createPhotoPull>) {
  const { db, gate, now, ticks } = parts
  const answer = fetchRequestAnswerer(db, { now })
  async function list(fetchRequest: Interest): Promise<Outcome | null> {
    const pulled = await pull.list(fetchRequest)
    if (pulled.kind === 'later') return pulled.outcome
    const total = pulled.kind === 'answered' ? pulled.total : 0
    await answer({ fetchRequest, state: pulled.kind, total })
    return null
  }
  const requestsForLists = async (): Promise<PhotoFetch[]> =>
    (await fetchRequestsIn(db))
      .filter(({ state, kind }) => state === 'asked' && kind === 'photos')
      .map((fetchRequest) => ({ key: fetchRequest.key, answer: () => list(fetchRequest) }))
  const withoutBytes = db.photos.find({ selector: { bytesAsked: 'yes' } })
  const requestsForBytes = async (): Promise<PhotoFetch[]> =>
    (await withoutBytes.exec()).map((doc) => ({
      key: doc.key,
      answer: () => pull.fetch(doc.toMutableJSON()),
    }))
  // Lists and bytes are read separately, because bytes may take minutes (RULES PL9).
  const answering = (changed$: Observable<unknown>, due: () => Promise<PhotoFetch[]>) =>
    answerScreens({ ...parts, changed$, due, gate: gate(RANKS.screen), now: ticks.now })
  answering(openFetchRequests$(db, 'photos'), requestsForLists)
  answering(withoutBytes.$, requestsForBytes)
}
