/**
 * RxDB's replications: `changes` is only pushed, everything else is only pulled (decisions/records). The handlers
 * decide nothing themselves.
 */
import type { RxCollection, WithDeleted } from 'rxdb'
import { replicateRxCollection, type RxReplicationState } from 'rxdb/plugins/replication'
import { filter, takeUntil, type Subject } from 'rxjs'
import type { Change } from '#schemas/change.ts'
import type { InFlight } from '#sync/lib/in-flight.ts'
import { reviveQueues } from './replication-queues.ts'
import type { Place } from './change-store.ts'
import type { PushHandler } from './push-handler.ts'
import { isWriteError, type StorageTrouble, type StorageTroubles } from '#sync/storage/storage-trouble.ts'

/** The waiting is done at our gates, which an `online` event ends; RxDB's own wait between tries is next to nothing. */
const RETRY_MS = 10
/** All that was written is one call: with several, handlers run at once, and no order holds over them. */
const ALL_AT_ONCE = 100_000

interface Parts {
  /** Never change one (RULES trap 12). */
  identifier: string
  /** Stopping waits for what the handlers are doing. */
  inFlight: InFlight
  /** What the device's storage refuses (RULES ST4). */
  troubles: StorageTroubles
}

interface PullParts<R> extends Parts {
  collection: RxCollection<R>
  pull: () => Promise<WithDeleted<R>[]>
  /** RxDB calls the handler again only when it has ended: one that is under way is told of what else is to be read. */
  ring: () => void
  resync$: Subject<'RESYNC'>
}

const BASICS = {
  live: true,
  // started by the tab that leads, and only there (`leadership.ts`)
  waitForLeadership: false,
  // true would start it in every visible tab, without asking who leads (RULES trap 1)
  toggleOnDocumentVisible: false,
  retryTime: RETRY_MS,
}

/** Documents as the CRM has them; nothing else writes the collection. */
export function replicatePull<R>({
  collection,
  identifier,
  pull,
  ring,
  resync$,
  inFlight,
  troubles,
}: PullParts<R>): RxReplicationState<R, Round> {
  const trouble = troubles.of(identifier)
  let round = 0
  const replication = replicateRxCollection<R, Round>({
    ...BASICS,
    replicationIdentifier: identifier,
    collection,
    pull: {
      // called again while it gives anything; the checkpoint says nothing, each round is a snapshot
      batchSize: 1,
      stream$: resync$,
      handler: async () => {
        const documents = await trouble.guard(() => inFlight.run(pull))
        return { documents, checkpoint: { round: (round += 1) } }
      },
    },
  })
  watched(replication, trouble)
  resync$.pipe(takeUntil(replication.canceled$.pipe(filter(Boolean)))).subscribe(ring)
  return replication
}

interface Round {
  round: number
}

interface PushParts<R extends Pushed> extends Parts {
  collection: RxCollection<R>
  /** True if nothing is sent of it any more. */
  isDone: (row: Partial<WithDeleted<R>>) => boolean
  placeOf: (row: R) => Place
  handler: PushHandler
}

interface Pushed {
  stamp: string
  wish: Change['wish']
}

/** What was saved, as it was written: RxDB gives it again until the handler has returned. */
export function replicatePush<R extends Pushed>({
  collection,
  identifier,
  isDone,
  placeOf,
  handler,
  inFlight,
  troubles,
}: PushParts<R>): RxReplicationState<R, unknown> {
  const replication = replicateRxCollection<R, unknown>({
    ...BASICS,
    replicationIdentifier: identifier,
    collection,
    push: {
      batchSize: ALL_AT_ONCE,
      // must not throw: what does is never sent (RULES trap 2)
      modifier: (row: WithDeleted<R>) => (isDone(row) ? null : row),
      handler: async (rows) => {
        await inFlight.run(() => handler.push(rows.map(({ newDocumentState }) => placeOf(newDocumentState))))
        return []
      },
    },
  })
  watched(replication, troubles.of(identifier))
  collection.$.pipe(
    filter(({ documentData: row, previousDocumentData: before }) => {
      const isSaved = !before || isDone(before) || row.stamp !== before.stamp
      return (isSaved && !isDone(row)) || row.wish !== 'none'
    }),
    takeUntil(replication.canceled$.pipe(filter(Boolean))),
  ).subscribe(({ documentData }) => handler.wrote(placeOf(documentData)))
  return replication
}

/** Nothing is sent of a change any more. */
export const isDone = ({ state, _deleted }: Partial<WithDeleted<Change>>): boolean =>
  _deleted === true || state === 'accepted' || state === 'discarded'

/** What the device's storage refuses of a replication is told, and tried again. */
function watched(
  replication: RxReplicationState<never, never> | RxReplicationState<unknown, unknown> | AnyReplication,
  trouble: StorageTrouble,
): void {
  const own = replication as AnyReplication
  // its start asks nothing else of it: without it a timer of each collection moves the mouse every 20 s (RULES trap 18)
  own.toggleOnDocumentVisible = true
  reviveQueues(own, trouble.failed)
  own.error$.pipe(filter(isWriteError)).subscribe((error) => trouble.failed(error))
  own.received$.subscribe(() => trouble.wrote())
  void refusedStart(own).then(() => startedAgain(own, trouble))
}

type AnyReplication = Pick<
  RxReplicationState<unknown, unknown>,
  'error$' | 'received$' | 'start' | 'startPromise' | 'isStopped' | 'toggleOnDocumentVisible'
> &
  Parameters<typeof reviveQueues>[0]

type Starting = Pick<RxReplicationState<unknown, unknown>, 'error$' | 'start' | 'startPromise' | 'isStopped'>

/** A full device takes no store for what the replication knows: RxDB starts it no more by itself (RULES trap 22). */
const refusedStart = ({ error$ }: Pick<Starting, 'error$'>): Promise<void> =>
  new Promise(
    (resolve) => void error$.pipe(filter(({ code }) => code === 'RC_START')).subscribe(() => resolve()),
  )

/** Where it was refused, something else may make room: who waits for the replications need not wait for it. */
export const begun = ({ startPromise, error$ }: Pick<Starting, 'error$' | 'startPromise'>): Promise<void> =>
  Promise.race([startPromise, refusedStart({ error$ })])

async function startedAgain(replication: Starting, trouble: StorageTrouble): Promise<void> {
  const isStarted = await trouble
    .guard(() => replication.start())
    .then(
      () => true,
      () => replication.isStopped(),
    )
  if (!isStarted) await startedAgain(replication, trouble)
}
