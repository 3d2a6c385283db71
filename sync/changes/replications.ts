/** RxDB's replications: `changes` and photos are only pushed, all other collections only pulled (decisions/records). */
import type { RxCollection, WithDeleted } from 'rxdb'
import { replicateRxCollection, type RxReplicationState } from 'rxdb/plugins/replication'
import { filter, takeUntil, type Subject } from 'rxjs'
import type { Change } from '#schemas/change.ts'
import { isOpen } from '#schemas/changes/record-view.ts'
import type { PhotoRecord } from '#schemas/resources/photo.ts'
import { factsIn } from './send-adapter.ts'
import type { PushHandler } from './sender.ts'
import { isWriteError, type StorageTrouble, type StorageTroubles } from '#sync/storage/storage-trouble.ts'

/** RxDB's wait between tries, in milliseconds. It is short because the scheduler's gate makes the real wait. */
const RETRY_MS = 10
/** More rows than any queue has, so that RxDB makes one batch. RxDB would handle several batches at once (trap 6). */
const ALL_AT_ONCE = 100_000

/** Running work of sync, for which a stop waits: RxDB never finishes closing a database during a write. */
export type InFlight = ReturnType<typeof createInFlight>
export function createInFlight() {
  const running = new Set<Promise<unknown>>()
  return {
    run<T>(work: () => Promise<T>): Promise<T> {
      const end = work()
      running.add(end)
      const forget = () => void running.delete(end)
      end.then(forget, forget)
      return end
    },
    async ended(): Promise<void> {
      while (running.size > 0) await Promise.allSettled(running)
    },
  }
}

interface Parts {
  /** A changed identifier would push everything again (RULES trap 12). */
  identifier: string
  inFlight: InFlight
  troubles: StorageTroubles
}

interface PullParts<R> extends Parts {
  collection: RxCollection<R>
  /** `recheck` makes a running pull look again for what it has to read, as RxDB calls the handler only after its end. */
  pull: { handler(): Promise<WithDeleted<R>[]>; recheck(): void }
  resync$: Subject<'RESYNC'>
}

const BASICS = {
  live: true,
  // Only the leading tab starts replications (`leadership.ts`), so RxDB's own election is not used.
  waitForLeadership: false,
  // With true, RxDB would start a replication in every visible tab, also in tabs that do not lead (RULES trap 1).
  toggleOnDocumentVisible: false,
  retryTime: RETRY_MS,
}

/** Starts the pull of a collection. Nothing else writes the collection. */
export function replicatePull<R>(parts: PullParts<R>): RxReplicationState<R, { round: number }> {
  const { collection, identifier, pull, resync$, inFlight, troubles } = parts
  const trouble = troubles.of(identifier)
  let round = 0
  const replication = replicateRxCollection<R, { round: number }>({
    ...BASICS,
    replicationIdentifier: identifier,
    collection,
    pull: {
      // With 1, RxDB calls the handler again until the handler returns an empty list.
      batchSize: 1,
      stream$: resync$,
      handler: async () => {
        const documents = await trouble.guard(() => inFlight.run(() => pull.handler()))
        return { documents, checkpoint: { round: (round += 1) } }
      },
    },
  })
  watchStorage(replication, trouble)
  resync$.pipe(takeUntil(replication.canceled$.pipe(filter(Boolean)))).subscribe(() => pull.recheck())
  return replication
}

export function replicatePush<R extends Change | PhotoRecord>(
  parts: Parts & { collection: RxCollection<R>; handler: PushHandler },
) {
  const { collection, identifier, handler, inFlight, troubles } = parts
  const replication = replicateRxCollection<R, unknown>({
    ...BASICS,
    replicationIdentifier: identifier,
    collection,
    push: {
      batchSize: ALL_AT_ONCE,
      // The function must not throw, because RxDB never sends a row whose modifier threw (RULES trap 2).
      modifier: (row: WithDeleted<R>) => (isDone(row) ? null : row),
      handler: async (rows) => {
        await inFlight.run(() => handler.push(rows.map(({ newDocumentState }) => factsIn(newDocumentState))))
        return []
      },
    },
  })
  watchStorage(replication, troubles.of(identifier))
  collection.$.pipe(
    filter(({ documentData: row, previousDocumentData: before }) => {
      const isSaved = !before || isDone(before) || row.stamp !== before.stamp
      return (isSaved && !isDone(row)) || row.wish !== 'none'
    }),
    takeUntil(replication.canceled$.pipe(filter(Boolean))),
  ).subscribe(({ documentData }) => handler.enqueue(factsIn(documentData)))
  return replication
}

/** True if the change or photo needs no more sending. */
export const isDone = (row: (Change | PhotoRecord) & { _deleted?: boolean }): boolean =>
  row._deleted === true || ('unsent' in row ? row.unsent === 'no' : !isOpen(row))

/** Reports storage errors, and starts the replication again if such an error prevented its start. */
function watchStorage(replication: AnyReplication, trouble: StorageTrouble): void {
  // Without this RxDB runs a timer every 20 s (trap 18). Set before the start, it starts replication in every visible tab.
  replication.toggleOnDocumentVisible = true
  reviveQueues(replication, trouble.failed)
  replication.error$.pipe(filter(isWriteError)).subscribe((error) => trouble.failed(error))
  replication.received$.subscribe(() => trouble.wrote())
  void startFailed(replication).then(() => restartUntilStarted(replication, trouble))
}

type AnyReplication = WithQueues &
  Pick<
    RxReplicationState<unknown, unknown>,
    'error$' | 'received$' | 'start' | 'startPromise' | 'isStopped' | 'toggleOnDocumentVisible'
  >

/** Resolves if RxDB gives up the start, because a full device cannot store the metadata (RULES trap 22). */
const startFailed = ({ error$ }: Pick<AnyReplication, 'error$'>): Promise<unknown> =>
  new Promise((resolve) => void error$.pipe(filter(({ code }) => code === 'RC_START')).subscribe(resolve))

/** Resolves when the start has ended or failed, also if the device has no space. */
export const startedOrFailed = (
  replication: Pick<AnyReplication, 'error$' | 'startPromise'>,
): Promise<unknown> => Promise.race([replication.startPromise, startFailed(replication)])

async function restartUntilStarted(replication: AnyReplication, trouble: StorageTrouble): Promise<void> {
  let isOver = false
  while (!isOver)
    isOver = await trouble
      .guard(() => replication.start())
      .then(
        () => true,
        () => replication.isStopped(),
      )
}

type Queue = Promise<unknown>

/** The two internal promise queues of a replication; undefined until the replication has started. */
export interface WithQueues {
  internalReplicationState?: { checkpointQueue: Queue; streamQueue: { up: Queue; down: Queue } } | undefined
}

/**
 * Repairs RxDB's queues of a replication, which end for good when a full device cannot store a checkpoint (RULES trap
 * 17): each failure is reported, and the queue continues. Must be called before the replication starts.
 */
export function reviveQueues(replication: WithQueues, failed: (error: unknown) => void): void {
  const recovering = (queue: Queue) => queue.catch(failed)
  onAssigned(replication, 'internalReplicationState', (state) => {
    if (!state) return state
    onAssigned(state, 'checkpointQueue', recovering)
    onAssigned(state.streamQueue, 'up', recovering)
    onAssigned(state.streamQueue, 'down', recovering)
    return state
  })
}

/** Converts a property's value now and at every later assignment. */
function onAssigned<T extends object, K extends keyof T>(
  target: T,
  key: K,
  convert: (value: T[K]) => T[K],
): void {
  let current = convert(target[key])
  Object.defineProperty(target, key, {
    configurable: true,
    enumerable: true,
    get: () => current,
    set(next: T[K]) {
      current = convert(next)
    },
  })
}
