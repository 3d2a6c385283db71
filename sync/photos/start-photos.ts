/** Starts what moves photos, in the tab that leads: the lane, the user’s decisions, and what screens ask for. */
import {
  auditTime,
  debounceTime,
  defer,
  exhaustMap,
  map,
  merge,
  retry,
  switchMap,
  takeUntil,
  type Observable,
  type Subject,
} from 'rxjs'
import type { Interest } from '#schemas/interest.ts'
import type { LedgerEntry } from '#schemas/ledger-entry.ts'
import { pushCollections } from '#schemas/push-collections.ts'
import { RETRY_MAX_MS } from '#schemas/limits.ts'
import { PHOTOS } from '#schemas/photo-queue.ts'
import type { UserInfo } from '#schemas/session.ts'
import { limitConcurrency } from '../lib/limit-concurrency.ts'
import type { SyncDatabase } from '../storage/database.ts'
import { GateClosed, type Gate } from '../transport/gate.ts'
import type { InFlight } from '../lib/in-flight.ts'
import { again } from '../lib/backoff.ts'
import { asked$, questionsIn } from '../storage/interests.ts'
import type { Outcome } from '../transport/outcome.ts'
import type { AgeCheck } from '../queue/age-check.ts'
import { createFaults } from '../queue/own-fault.ts'
import type { QueueStore } from '../queue/queue-store.ts'
import { createLooks } from '../queue/second-look.ts'
import { RANKS, type Rank } from '../transport/turns.ts'
import type { Ticks } from '../lib/ticks.ts'
import type { Http } from '../transport/http.ts'
import type { Locks } from '../leadership/hold.ts'
import type { SessionStore } from '../transport/session-tokens.ts'
import { createFileStore, type FileStore } from './file-store.ts'
import { createFileToken } from './file-token.ts'
import { createPhotoFolders } from './photo-folders.ts'
import { createPhotoLane } from './photo-lane.ts'
import { photoParents } from './photo-parents.ts'
import { createPhotoStore } from './photo-store.ts'
import { grantPhotoWishes } from './photo-decisions.ts'
import type { PhotoBytes, PhotoParents } from './ports.ts'
import { createPhotoPull } from './pull-photos.ts'
import { sendPhoto } from './send-photo.ts'

export interface PhotoParts {
  db: SyncDatabase
  store: QueueStore
  bytes: PhotoBytes
  /** Where photos go; by default what the CRM says of their records. */
  parents?: PhotoParents | undefined
  http: Http
  /** `{fs}` */
  url: string
  user: UserInfo
  sessions: SessionStore
  locks: Locks
  now: () => number
  ageCheck: AgeCheck
  ticks: Ticks
  /** Time limit of one call, in milliseconds. */
  limitMs: number
  random: () => number
  gate: (rank: Rank) => Gate
  nudge$: Subject<void>
  stop$: Observable<unknown>
  report: (problem: string) => void
  /** Stopping waits for what is under way. */
  inFlight: InFlight
}

const SOON_MS = 20
const FETCHES_AT_ONCE = 3

export function startPhotos(parts: PhotoParts): void {
  const { db, store: queue, locks, now, ticks, random, nudge$, stop$, report, inFlight } = parts
  const files = filesOf(parts)
  const store = createPhotoStore(db, parts.bytes, report)
  const work = {
    store,
    files,
    folders: createPhotoFolders(files, locks),
    parents: parts.parents ?? photoParents(queue),
    locks,
    now,
    userId: parts.user.id,
    faults: createFaults(),
    looks: createLooks(ticks.now, parts.limitMs),
    wake: (ms: number) =>
      void ticks
        .after$(ms)
        .pipe(takeUntil(stop$))
        .subscribe(() => lane.kick()),
  }
  const lane = createPhotoLane({
    store,
    gate: parts.gate(RANKS.push),
    send: (key) => inFlight.run(() => sendPhoto(work, key)),
    ageCheck: parts.ageCheck,
    accepted: () => work.faults.now.accepted,
    later: () => work.wake(RETRY_MAX_MS),
    report,
  })
  // a photo is due when it is saved, and when its record has reached the CRM
  const written$ = merge(...pushCollections.map((name) => db[name].$))
  merge(db.photos.find({ selector: { unsent: 'yes' } }).$, written$, nudge$)
    .pipe(auditTime(SOON_MS), takeUntil(stop$))
    .subscribe(() => lane.kick())
  stop$.subscribe(() => lane.stop())
  const grant = grantPhotoWishes(work)
  const granting = async (entries: readonly LedgerEntry[]) => {
    await inFlight.run(() => grant(entries))
    nudge$.next()
  }
  decided$(db)
    .pipe(
      switchMap((entries) =>
        entries.length > 0 ? defer(() => granting(entries)).pipe(retry(again(random))) : [],
      ),
      takeUntil(stop$),
    )
    .subscribe()
  void inFlight.run(() => store.sweep(now())).catch(report)
  answerScreens({ ...parts, pull: createPhotoPull(work) })
}

function filesOf({ http, url, user, sessions, now }: PhotoParts): FileStore {
  return createFileStore({ http, token: createFileToken({ http, url, user, sessions, now }), url, now })
}

/** Rows of photos that a person has decided on. */
const decided$ = (db: SyncDatabase): Observable<LedgerEntry[]> =>
  db.ledger
    .find({ selector: { resource: PHOTOS, wish: { $in: ['resend', 'discard'] } } })
    .$.pipe(map((docs) => docs.map((doc) => doc.toMutableJSON())))

interface Screens {
  db: SyncDatabase
  pull: ReturnType<typeof createPhotoPull>
  gate: (rank: Rank) => Gate
  now: () => number
  random: () => number
  stop$: Observable<unknown>
  report: (problem: string) => void
  inFlight: InFlight
}

/** What is asked for by now, each with what stands in its way. */
type Due = () => Promise<(() => Promise<Outcome | null>)[]>

async function answerAll(due: Due, gate: Gate): Promise<void> {
  const inTurn = limitConcurrency(FETCHES_AT_ONCE)
  for (;;) {
    const asked = await due()
    if (asked.length === 0) return
    await gate.passed()
    const outcomes = await Promise.all(asked.map((answered) => inTurn(answered)))
    const blocked = outcomes.find((outcome) => outcome !== null)
    if (blocked) gate.failed(blocked.kind === 'throttled' ? blocked.retryAfterMs : 0)
    else gate.succeeded()
  }
}

/** Lists and bytes that screens would like to have (decision 0005). */
function answerScreens({ db, pull, gate: newGate, now, random, stop$, report, inFlight }: Screens) {
  const lists$ = asked$(db, 'photos')
  const bytes$ = db.photos.find({ selector: { bytesAsked: 'yes' } }).$
  const questions = async () =>
    (await questionsIn(db))
      .filter(({ state, kind }) => state === 'asked' && kind === 'photos')
      .map((question) => () => list(question))
  const wanted = async () =>
    (await db.photos.find({ selector: { bytesAsked: 'yes' } }).exec()).map(
      (doc) => () => pull.fetch(doc.toMutableJSON()),
    )

  const answer = async (interest: Interest, state: Interest['state'], total: number) => {
    const doc = await db.interests.findOne(interest.key).exec()
    const answeredAt = new Date(now()).toISOString()
    await doc?.incrementalModify((latest) =>
      // asked anew meanwhile: that is still to be answered
      latest.askedAt === interest.askedAt ? { ...latest, state, total, answeredAt } : latest,
    )
  }
  async function list(interest: Interest): Promise<Outcome | null> {
    const pulled = await pull.list(interest)
    if (pulled.kind === 'later') return pulled.outcome
    const isAnswered = pulled.kind === 'answered'
    await answer(interest, isAnswered ? 'answered' : 'failed', isAnswered ? pulled.total : 0)
    return null
  }
  let stopped = false
  stop$.subscribe(() => {
    stopped = true
  })
  /** What a full disk does not take is told once, and asked for again until there is room (RULES ST4). */
  const untilAnswered = (due: Due, gate: Gate) => () => {
    let isTold = false
    const failed = (error: unknown) => {
      if (error instanceof GateClosed) return
      if (!stopped && !isTold) report(`photos: ${String(error)}`)
      isTold = true
      throw error
    }
    return defer(() => inFlight.run(() => answerAll(due, gate)).catch(failed)).pipe(retry(again(random)))
  }
  const answering = (due$: Observable<unknown>, due: Due) =>
    due$
      .pipe(debounceTime(SOON_MS), exhaustMap(untilAnswered(due, newGate(RANKS.screen))), takeUntil(stop$))
      .subscribe()
  // a list does not wait for bytes, which may be minutes on their way (RULES PL9)
  answering(lists$, questions)
  answering(bytes$, wanted)
}
