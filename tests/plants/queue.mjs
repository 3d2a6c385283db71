/** Planted defects of `sync/queue/` that the seeds of the sending simulation seldom tell. */
import { P } from './plant.mjs'

export const queue = [
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
]
