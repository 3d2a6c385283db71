/** Starts what moves photos, in the tab that leads: the lane, the user’s decisions, and what screens ask for. */
import {
  auditTime,
  defer,
  distinctUntilChanged,
  map,
  merge,
  retry,
  switchMap,
  takeUntil,
  type Observable,
  type Subject,
} from 'rxjs'
import type { Interest } from '#schemas/device/interest.ts'
import { pushCollections } from '#schemas/collections/push-collections.ts'
import { RETRY_MAX_MS } from '#schemas/limits.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import type { UserInfo } from '#schemas/device/session.ts'
import type { SyncDatabase } from '../storage/database.ts'
import type { Gate } from '#sync/scheduler/gate.ts'
import type { InFlight } from '../lib/in-flight.ts'
import { again } from '../lib/backoff.ts'
import { openFetchRequests$, questionsIn } from '../storage/interests.ts'
import type { Outcome } from '../transport/outcome.ts'
import type { AgeCheck } from '#sync/changes/age-check.ts'
import { createFaults } from '#sync/changes/failure-attribution.ts'
import type { QueueStore } from '#sync/changes/change-store.ts'
import { createLateChecks } from '#sync/changes/late-arrival-check.ts'
import { RANKS, type Rank } from '#sync/scheduler/lanes.ts'
import type { Ticks } from '../lib/ticks.ts'
import type { Http } from '../transport/http.ts'
import type { Locks } from '#sync/leadership/lease.ts'
import type { SessionStore, SessionTokens } from '../transport/session-tokens.ts'
import { answerScreens, type PhotoFetch } from './answer-photo-fetches.ts'
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

interface PhotoParts {
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
  tokens: SessionTokens
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
    looks: createLateChecks(ticks.now, parts.limitMs),
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
  // a photo is due when it is saved, when its record's change is accepted, and when a read names its folder
  const written$ = merge(db.changes.$, ...pushCollections.map((name) => db[name].$))
  merge(db.photos.find({ selector: { unsent: 'yes' } }).$, written$, nudge$)
    .pipe(auditTime(SOON_MS), takeUntil(stop$))
    .subscribe(() => lane.kick())
  stop$.subscribe(() => lane.stop())
  const grant = grantPhotoWishes(work)
  const granting = async (keys: readonly string[]) => {
    await inFlight.run(() => grant(keys))
    nudge$.next()
  }
  decided$(db)
    .pipe(
      switchMap((keys) => (keys.length > 0 ? defer(() => granting(keys)).pipe(retry(again(random))) : [])),
      takeUntil(stop$),
    )
    .subscribe()
  void inFlight.run(() => store.sweep(now())).catch(report)
  answerPhotos({ ...parts, pull: createPhotoPull(work) })
}

function filesOf({ http, url, now, ...parts }: PhotoParts): FileStore {
  return createFileStore({ http, token: createFileToken({ ...parts, http, url, now }), url, now })
}

/** Keys of photos that a person has decided on; what else is written of a photo is no new decision. */
const decided$ = (db: SyncDatabase): Observable<string[]> =>
  db.photos.find({ selector: { unsent: 'yes' } }).$.pipe(
    map((docs) => docs.filter(({ wish }) => wish !== 'none')),
    distinctUntilChanged((before, now) => decisionsIn(before) === decisionsIn(now)),
    map((docs) => docs.map(({ key }) => key)),
  )

const decisionsIn = (photos: readonly PhotoRecord[]): string =>
  photos.map(({ key, wish, state }) => `${key} ${wish} ${state}`).join()

interface Screens extends PhotoParts {
  pull: ReturnType<typeof createPhotoPull>
}

/** Lists and bytes that screens would like to have (decisions/pull). */
function answerPhotos({ db, pull, gate, now, ticks, random, stop$, report, inFlight }: Screens) {
  const questions = async (): Promise<PhotoFetch[]> =>
    (await questionsIn(db))
      .filter(({ state, kind }) => state === 'asked' && kind === 'photos')
      .map((question) => ({ key: question.key, answer: () => list(question) }))
  const wanted = async (): Promise<PhotoFetch[]> =>
    (await db.photos.find({ selector: { bytesAsked: 'yes' } }).exec()).map((doc) => ({
      key: doc.key,
      answer: () => pull.fetch(doc.toMutableJSON()),
    }))

  const answer = async (interest: Interest, state: Interest['state'], total: number) => {
    const doc = await db.interests.findOne(interest.key).exec()
    const answeredAt = new Date(now()).toISOString()
    await doc?.incrementalModify((latest) =>
      // a newer question is still to be answered
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
  // a list does not wait for bytes, which may take minutes (RULES PL9)
  const answering = (asks: Pick<Parameters<typeof answerScreens>[0], 'asked$' | 'due'>) =>
    answerScreens({ ...asks, gate: gate(RANKS.screen), now: ticks.now, random, stop$, report, inFlight })
  answering({ asked$: openFetchRequests$(db, 'photos'), due: questions })
  answering({ asked$: db.photos.find({ selector: { bytesAsked: 'yes' } }).$, due: wanted })
}
