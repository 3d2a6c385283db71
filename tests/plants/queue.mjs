/** Planted defects of `sync/queue/` that the seeds of the sending simulation seldom tell. */
import { P } from './plant.mjs'

export const queue = [
  P(
    'trap 3 a start writes everything that is unsent anew',
    'queue/resume-queue.ts',
    'new Map((await store.pending()).map(({ resource, key }) => [resource, key]))',
    '(await store.pending()).map(({ resource, key }) => [resource, key])',
    'resume-queue',
  ),
  P(
    'ST4 a queue that the device’s own storage stops is gone through again at once',
    'queue/drain.ts',
    'gate.failed()\n    throw error',
    'throw error',
    'gate',
  ),
  P(
    'OR3 what was saved on a colleague’s record waits for the refused entry',
    'queue/sender.ts',
    '!isFree(first, item)',
    'true',
    'refused-create',
  ),
  P(
    'OR3 破棄 of a refused entry leaves the exit that was made on it',
    'queue/decisions.ts',
    'left.filter((other) => !hangsOnCreating(record, other))',
    'left',
    'refused-create',
  ),
  P(
    'OR1 whose turn it is is decided once for the whole queue',
    'queue/drain.ts',
    'const next = () => inTurn(due, faults.now)[0]',
    'const order = inTurn(due, faults.now)\n    const next = () => order.find((item) => due.includes(item))',
    'queue-turns',
  ),
  P(
    'OC8 an own fault that a full device does not take is forgotten',
    'queue/unsent.ts',
    'facts.serverErrors > countedBefore(items)',
    'false',
    'queue-turns',
  ),
  P(
    'OC7 what a full device does not let wait again stays refused',
    'queue/sender.ts',
    'for (const id of others) await ledger.reopen(id, PAUSED)',
    'await Promise.allSettled(others.map((id) => ledger.reopen(id, PAUSED)))',
    'queue-turns',
  ),
]
