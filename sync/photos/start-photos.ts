/** Starts the push of photos, and the reads of lists and bytes that screens request. Runs in the leading tab only. */
import type { RxReplicationState } from 'rxdb/plugins/replication'
import {
  auditTime,
  BehaviorSubject,
  filter,
  firstValueFrom,
  merge,
  mergeMap,
  Subject,
  takeUntil,
  type Observable,
} from 'rxjs'
import { pushCollections } from '#schemas/collections/push-collections.ts'
import { photoFacts } from '#schemas/changes/photo-queue.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import {
  type SyncDatabase,
  fetchRequestAnswerer,
  fetchRequestsIn,
  openFetchRequests$,
} from '#sync/storage/database.ts'
import { GateClosed, type Gate } from '#sync/scheduler/scheduler.ts'
import { isFull, type StorageTroubles } from '#sync/storage/storage-trouble.ts'
import type { Outcome } from '#sync/transport/outcome.ts'
import { createPushHandler, type AgeCheck, type PushHandler } from '#sync/changes/sender.ts'
import { createLateChecks, isUnclear, NO_FAULTS } from '#sync/changes/failure-attribution.ts'
import type { ChangeRef, QueueStore } from '#sync/changes/change-store.ts'
import { replicatePush } from '#sync/changes/replications.ts'
import { RANKS, type Rank } from '#sync/scheduler/schedule.ts'
import type { Ticks } from '#sync/lib/backoff.ts'
import { createFileStore, createFileToken, type FileTokenParts } from './file-store.ts'
import { createPhotoFolders, photoParents, type PhotoParents } from './photo-place.ts'
import { createPhotoStore, type PhotoBytes, type PhotoStore } from './photo-store.ts'
import { answerScreens, createPhotoPull, type PhotoFetch, type ScreenParts } from './pull-photos.ts'
import { applyPhotoRequests, sendPhoto, type SendParts } from './send-photo.ts'
import { RETRY_MAX_MS, UPLOADS_AT_ONCE } from '#schemas/limits.ts'
import type { HandlerParts, Step } from '#sync/changes/send-adapter.ts'

type ScreensParts = Omit<ScreenParts, 'due' | 'changed$' | 'gate'>

interface PhotoParts
  extends Omit<HandlerParts, 'elapsed'>, FileTokenParts, ScreensParts, Pick<SendParts, 'locks'> {
  db: SyncDatabase
  store: QueueStore
  bytes: PhotoBytes
  parents?: PhotoParents | undefined
  ageCheck: AgeCheck
  ticks: Ticks
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
    faults: { now: NO_FAULTS },
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
  const push = replicatePush({ ...parts, collection: db.photos, identifier: 'crm-photos', handler })
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
  answerPhotos(parts, createPhotoPull({ ...work, answer: fetchRequestAnswerer(db, { now }) }))
  return push
}

function answerPhotos(parts: PhotoParts, pull: ReturnType<typeof createPhotoPull>) {
  const { db, gate, ticks } = parts
  const requestsForLists = async (): Promise<PhotoFetch[]> =>
    (await fetchRequestsIn(db))
      .filter(({ state, kind }) => state === 'asked' && kind === 'photos')
      .map((fetchRequest) => ({ key: fetchRequest.key, answer: () => pull.list(fetchRequest) }))
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

/** `send`: sends one photo until the file store has its current state, or a call fails. */
interface Parts extends HandlerParts {
  gate: Gate
  ageCheck: AgeCheck
  store: Pick<PhotoStore, 'unsent' | 'sendFacts'>
  applyUserRequests: (keys: readonly string[]) => Promise<void>
  send: (key: string) => Promise<Step>
  isStopped: () => boolean
  accepted: () => number
}

/**
 * Sends the photos that RxDB pushes, up to three at once, in the order of saving (RULES OR1). A photo that fails delays
 * no other, unless no call can succeed at all (OC4). A photo with an unclear answer comes last in the next run, so that
 * the circuit breaker's trial call (OC10) goes to another photo.
 */
export function createPhotoSender(parts: Parts): PushHandler {
  const { store, accepted, isStopped } = parts
  const pending = new Map<string, ChangeRef>()
  /** Keys of photos whose last answer was unclear or that failed on the device. The newest failure is last. */
  const unclear = new Set<string>()
  let round: Round | null = null

  async function unsent(): Promise<string[]> {
    // The pending photos are listed before the read, so that a photo saved during the read stays pending.
    const pendingKeys = [...pending.keys()]
    const keys = (await store.unsent(pendingKeys)).map(({ key }) => key)
    for (const key of pendingKeys) if (!keys.includes(key)) pending.delete(key)
    return keys
  }
  const failed = (error: unknown) => {
    // Closing the database makes the current calls fail. The next start treats them as ambiguous (RULES OC3).
    if (!isStopped() && !(error instanceof GateClosed)) parts.failed(error)
  }
  async function send(): Promise<Step> {
    const acceptedBefore = accepted()
    round = createRound({ ...parts, unsent, failed, unclear })
    const blocked = await round.run().finally(() => (round = null))
    if (!blocked) return { kind: 'done' }
    if (!isUnclear(blocked) || accepted() === acceptedBefore) return { kind: 'blocked', outcome: blocked }
    // The file store accepts other photos, so the skipped ones are sent later, without a pause now (RULES OR3).
    handler.wake(RETRY_MAX_MS)
    return { kind: 'done' }
  }
  const handler = createPushHandler({
    ...parts,
    pending,
    open: async () => (await store.unsent()).map(photoFacts),
    send,
  })
  async function joinRound(): Promise<void> {
    await round?.join()
    await handler.decide()
    await round?.join()
  }
  return {
    ...handler,
    enqueue(ref) {
      handler.enqueue(ref)
      if (round) void joinRound().catch(failed)
    },
  }
}

/** True for a failure that all other photos would share. */
const blocksAll = ({ kind }: Outcome) => ['unreachable', 'throttled', 'unauthorized'].includes(kind)

/** Outcome of an error on the device, such as a full disk or a lease that has ended. */
const DEVICE_ERROR: Outcome = { kind: 'unknown', status: 0 }

type Round = ReturnType<typeof createRound>

interface RoundParts extends Pick<Parts, 'send' | 'isStopped' | 'failed'> {
  unsent: () => Promise<string[]>
  unclear: Set<string>
}

/** Creates a run, which attempts each photo once: those that are unsent now, and those that `join` adds. */
function createRound({ unsent, send, isStopped, failed, unclear }: RoundParts) {
  const due$ = new Subject<string>()
  /** How many of them have not been attempted to the end. */
  const open$ = new BehaviorSubject(0)
  const suspects = [...unclear]
  /** Keys of photos that this run has attempted or will attempt. */
  const tried = new Set(suspects)
  let blocked: Outcome | null = null
  let [isOver, isDiskFull] = [false, false]

  async function attempt(key: string): Promise<void> {
    if (isStopped() || isDiskFull || (blocked && blocksAll(blocked))) return
    const step = await send(key).catch((error: unknown): Step => {
      // On a full device every write fails, so the run ends. The other photos are first in the next run (RULES ST4).
      isDiskFull ||= isFull(error)
      failed(error)
      return { kind: 'blocked', outcome: DEVICE_ERROR }
    })
    const outcome = step.kind === 'blocked' ? step.outcome : null
    if (outcome?.kind !== 'unreachable') unclear.delete(key)
    if (outcome && (isUnclear(outcome) || outcome === DEVICE_ERROR)) unclear.add(key)
    if (outcome && (!blocked || blocksAll(outcome))) blocked = outcome
  }
  const ended = () => open$.next(open$.value - 1)
  due$.pipe(mergeMap((key) => attempt(key).finally(ended), UPLOADS_AT_ONCE)).subscribe()
  function begin(...keys: readonly string[]): void {
    open$.next(open$.value + keys.length)
    for (const key of keys) due$.next(key)
  }
  const idle = () => firstValueFrom(open$.pipe(filter((open) => open === 0)))
  /** Adds photos that were saved since the run began. */
  async function join(): Promise<void> {
    const added = (await unsent()).filter((key) => !isOver && !tried.has(key))
    for (const key of added) tried.add(key)
    begin(...added)
  }
  return {
    join,
    /** @returns the outcome that blocked the run; null if all calls succeeded */
    async run(): Promise<Outcome | null> {
      await join()
      await idle()
      // Photos with an unclear last answer go one at a time, because the circuit breaker admits only one trial call.
      for (const key of suspects) {
        begin(key)
        await idle()
      }
      isOver = true
      return blocked
    },
  }
}
