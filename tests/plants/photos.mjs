/** Planted defects of `sync/photos/` that the seeds of the sending simulation seldom tell. */
import { P } from './plant.mjs'

export const photos = [
  P(
    'ST4 on a full disk a round tries every photo that waits',
    'photos/photo-round.ts',
    'isDiskFull ||= isFull(error)',
    'isFull(error)',
    'photo-lane',
  ),
  P(
    'ST4 on a full disk every round tries the same photos',
    'photos/photo-round.ts',
    'outcome && (isUnclear(outcome) || outcome === NO_END)',
    'outcome && isUnclear(outcome)',
    'photo-lane',
  ),
]
