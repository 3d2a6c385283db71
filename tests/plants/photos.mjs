/** Planted defects of `sync/photos/` that the seeds of the sending simulation seldom tell. */
import { P } from './plant.mjs'

export const photos = [
  P(
    'ST4 on a full disk a round tries every photo that waits',
    'photos/start-photos.ts',
    'isDiskFull ||= isFull(error)',
    'isFull(error)',
    'photos/photo-sender',
  ),
  P(
    'ST4 on a full disk every round tries the same photos',
    'photos/start-photos.ts',
    'outcome && (isUnclear(outcome) || outcome === DEVICE_ERROR)',
    'outcome && isUnclear(outcome)',
    'photos/photo-sender',
  ),
  P(
    'OR1 more photos at once than allowed',
    'photos/start-photos.ts',
    'finally(ended), UPLOADS_AT_ONCE)',
    'finally(ended))',
    'photos/photo-sender',
  ),
  P(
    'PL8 a photo that hangs holds up those that are asked for after it',
    'photos/pull-photos.ts',
    'inProgress.size === FETCHES_AT_ONCE',
    'inProgress.size > 0',
    'photos/photo-pull',
    'photos/answer-photo-fetches',
  ),
  P(
    'PL8 what was answered for nothing goes first again',
    'photos/pull-photos.ts',
    'postponed.add(key)',
    'void key',
    'photos/answer-photo-fetches',
  ),
  P(
    'OC4 photos that fail beside each other are as many failures',
    'photos/pull-photos.ts',
    'failure.retryAfterMs : 0, begunAt',
    'failure.retryAfterMs : 0',
    'photos/answer-photo-fetches',
  ),
  P(
    'EX2 a photo whose folder nobody names waits for ever',
    'photos/send-photo.ts',
    "parent.kind === 'wait'",
    "parent.kind === 'wait' || parent.kind === 'unnamed'",
    'photos/photo-folder-told',
  ),
]
