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
]
