/** Planted defects of `sync/changes/` that the seeds of the sending simulation seldom tell. */
import { P } from './plant.mjs'

export const queue = [
  P(
    'trap 3 a start goes through what RxDB gives, and no more',
    'changes/sender.ts',
    'await open()',
    '[]',
    'retention/clock',
  ),
  P(
    'ST4 a queue that the device’s own storage stops is gone through again at once',
    'changes/sender.ts',
    'gate.failed()\n          throw error',
    'throw error',
    'scheduler/scheduler',
  ),
  P(
    'OR3 what was saved on a colleague’s record waits for the refused entry',
    'changes/send-change.ts',
    'isActionable(first) || item?.blockedBy !== undefined',
    'true',
    'changes/refused-create',
  ),
  P(
    'OR3 破棄 of a refused entry leaves the exit that was made on it',
    'changes/sender.ts',
    '[change, ...changesDiscardedWith(record, change)]',
    '[change]',
    'changes/refused-create',
  ),
  P(
    'OR1 whose turn it is is decided once for the whole queue',
    'changes/sender.ts',
    'const next = () => bySuspicion(due, faults.now)[0]',
    'const order = bySuspicion(due, faults.now)\n    const next = () => order.find((item) => due.includes(item))',
    'changes/queue-turns',
  ),
  P(
    'OC8 an own fault that a full device does not take is forgotten',
    'changes/attempt.ts',
    'if (isAtFault) faults',
    'if (false) faults',
    'changes/queue-turns',
  ),
  P(
    'OC7 what a full device does not let wait again stays refused',
    'changes/send-change.ts',
    'for (const id of others) await store.reopen(id, PAUSED)',
    'await Promise.allSettled(others.map((id) => store.reopen(id, PAUSED)))',
    'changes/queue-turns',
  ),
  P(
    'OC3 a row that another tab has moved meanwhile is sent again',
    'changes/send-adapter.ts',
    'if (isBeginning && !isSame)',
    'if (false)',
    'changes/undone-save',
  ),
]
