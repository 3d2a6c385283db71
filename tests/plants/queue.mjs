/** Planted defects of `sync/queue/` that the seeds of the sending simulation seldom tell. */
import { P } from './plant.mjs'

export const queue = [
  P(
    'trap 3 a start goes through what RxDB gives, and no more',
    'queue/sender.ts',
    'await work.store.open()',
    '[]',
    'clock',
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
    'queue/send-change.ts',
    '!isFree(first, item)',
    'true',
    'refused-create',
  ),
  P(
    'OR3 破棄 of a refused entry leaves the exit that was made on it',
    'queue/decisions.ts',
    '[change, ...goesWithDiscarded(record, change)]',
    '[change]',
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
    'queue/send-change.ts',
    'for (const id of others) await ledger.reopen(id, PAUSED)',
    'await Promise.allSettled(others.map((id) => ledger.reopen(id, PAUSED)))',
    'queue-turns',
  ),
]
