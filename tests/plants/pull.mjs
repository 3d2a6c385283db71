/** Planted defects of `sync/pull/` that the seeds of the pulling simulation do not tell. */
import { P } from './plant.mjs'

export const pull = [
  P(
    'EX1 what belongs to a request that went goes with it',
    'pull/orphans.ts',
    'all.filter((record) => isExpiredRecord(record, clock))',
    'all',
    'orphans',
  ),
]
