/** Planted defects of a full disk and of a blocked write: see `plants.mjs`. */
const P = (name, file, from, to, seed = 1) => ({ name, file, from, to, seed })

export const devicePlants = [
  P(
    'PL8 更新 forgets the questions that failed',
    'sync/pull/engine-step.ts',
    'begunAnew(state.troubles)',
    'new Map()',
    53,
  ),
  P(
    'ST4 a full disk is tried again at once',
    'sync/storage/storage-trouble.ts',
    'Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS)',
    '0',
    18,
  ),
  P(
    'ST4 no pull waits for a full disk',
    'sync/storage/storage-trouble.ts',
    'await rested()',
    'undefined',
    18,
  ),
  P(
    'ST4 a storage error passes the gate',
    'sync/storage/storage-trouble.ts',
    '!isOfCalls && !stopped',
    'false',
    22,
  ),
  P('ST4 a write that fails is no trouble', 'sync/queue/push.ts', 'trouble.failed(error)', 'undefined', 29),
  P(
    'ST4 a full disk is reported each time',
    'sync/storage/storage-trouble.ts',
    'before.failures === 0',
    'true',
    6,
  ),
  P(
    'ST4 nobody is told of a full disk',
    'sync/storage/storage-trouble.ts',
    'isFull(error) && !isTold',
    'false',
    18,
  ),
  P(
    'ST4 nobody is told that there is room again',
    'sync/storage/storage-trouble.ts',
    'trouble.failures === 0 && isTold',
    'false',
    18,
  ),
  P(
    'ST4 a full disk keeps a replication from ending',
    'sync/queue/replication-queues.ts',
    'queue.catch(failed)',
    'queue',
    18,
  ),
  P(
    'ST4 what is asked of photos on a full disk is asked once',
    'sync/photos/start-photos.ts',
    'inFlight.run(() => answerAll(due, gate)).catch(failed)',
    'inFlight.run(() => answerAll(due, gate)).catch(() => undefined)',
    507,
  ),
  P(
    'trap 16 the pull that stays is not rung',
    'sync/queue/push.ts',
    'resync$.pipe(takeUntil(stop$)).subscribe(ring)',
    'undefined',
    12,
  ),
]
