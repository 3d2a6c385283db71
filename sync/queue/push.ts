/**
 * Push and pull of one collection by RxDB's replication. The handlers decide nothing themselves: push runs the sender
 * until the queue is empty, and hands a blocked queue back to RxDB as a throw, so that it calls again (RULES OC4).
 */
import type { RxCollection, WithDeleted } from 'rxdb'
import { replicateRxCollection, type RxReplicationState } from 'rxdb/plugins/replication'
import { filter, takeUntil, type Subject } from 'rxjs'
import type { Gate } from '../transport/gate.ts'
import type { InFlight } from '../lib/in-flight.ts'
import { watchDroppedWrites, type Pulled } from '../storage/dropped-writes.ts'
import { throughGate } from './drain.ts'
import { keepQueuesGoing } from './replication-queues.ts'
import type { Sender } from './sender.ts'
import { isWriteError, type StorageTrouble, type StorageTroubles } from '../storage/storage-trouble.ts'

/** The waiting is done at the gate, which an `online` event ends; RxDB's own wait between tries is next to nothing. */
const RETRY_MS = 10
const PUSH_BATCH = 10

class SendAgain extends Error {}

interface Parts<R extends Pulled> {
  collection: RxCollection<R>
  /** Never change one: everything would be pushed again (RULES trap 12). */
  identifier: string
  pull: () => Promise<WithDeleted<R>[]>
  /** RxDB calls the pull again only when it has ended: what is to be read is told to it, too. */
  ring?: () => void
  resync$: Subject<'RESYNC'>
  push?: () => Promise<void>
  /** RxDB let these fall: they are to be read again. */
  missed?: (keys: ReadonlySet<string>) => void
  /** Stopping waits for what the handlers are doing. */
  inFlight: InFlight
  /** What the device's storage refuses (RULES ST4). */
  troubles: StorageTroubles
}

export function replicate<R extends Pulled>({
  collection,
  identifier,
  pull,
  ring,
  resync$,
  push,
  missed,
  inFlight,
  troubles,
}: Parts<R>): RxReplicationState<R, Round> {
  const trouble = troubles.of(identifier)
  let isPulling = false
  let told: (docs: readonly WithDeleted<R>[]) => void = () => undefined
  const replication = replicateRxCollection<R, Round>({
    replicationIdentifier: identifier,
    collection,
    live: true,
    // started by the tab that leads, and only there (`leadership.ts`)
    waitForLeadership: false,
    // true would start it in every visible tab, without asking who leads (RULES trap 1)
    toggleOnDocumentVisible: false,
    retryTime: RETRY_MS,
    pull: {
      // called again while it gives anything; the checkpoint says nothing, each round is a snapshot
      batchSize: 1,
      // the pull of what is pushed stays, and is rung: while a push is blocked RxDB would not call it (trap 16)
      stream$: resync$.pipe(filter(() => !(push && isPulling))),
      handler: async (checkpoint) => {
        isPulling = true
        const documents = await trouble.guard(() => inFlight.run(pull)).finally(() => (isPulling = false))
        told(documents)
        return { documents, checkpoint: { round: (checkpoint?.round ?? 0) + 1 } }
      },
    },
    ...(push && {
      push: {
        batchSize: PUSH_BATCH,
        handler: async () => {
          await inFlight.run(push)
          return []
        },
      },
    }),
  })
  // its start asks nothing else of it: without it a timer of each collection moves the mouse every 20 s (RULES trap 18)
  replication.toggleOnDocumentVisible = true
  keepQueuesGoing(replication, trouble.failed)
  const stop$ = replication.canceled$.pipe(filter(Boolean))
  replication.error$.pipe(filter(isWriteError)).subscribe((error) => trouble.failed(error))
  replication.received$.subscribe(() => trouble.wrote())
  void refusedStart(replication).then(() => startedAgain(replication, trouble))
  if (ring) resync$.pipe(takeUntil(stop$)).subscribe(ring)
  if (missed) told = watchDroppedWrites({ collection, missed, stop$, inFlight })
  return replication
}

interface Round {
  round: number
}

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

/** The push of every collection: pass the gate, send, and come back when something stood in the way. */
export const pushWith = (sender: Sender, gate: Gate) => async (): Promise<void> => {
  const step = await throughGate(gate, () => sender.drain())
  if (step.kind === 'blocked') throw new SendAgain(step.outcome.kind)
}
