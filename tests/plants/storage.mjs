/** Planted defects of `sync/storage/`. */
import { P } from './plant.mjs'

export const storage = [
  P(
    'ST4 a storage error passes the gate',
    'storage/storage-trouble.ts',
    '!isOfCalls && !stopped',
    'false',
    'storage-trouble',
  ),
  P(
    'ST4 trouble of one moment counts many times',
    'storage/storage-trouble.ts',
    'failures > 0 && now < until',
    'false',
    'storage-trouble',
  ),
  P('ST4 the wait does not grow', 'storage/storage-trouble.ts', '2 ** failures', '1', 'storage-trouble'),
  P(
    'ST4 the wait has no end',
    'storage/storage-trouble.ts',
    'Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS)',
    'FIRST_WAIT_MS * 2 ** failures',
    'storage-trouble',
  ),
  P(
    'ST4 what is small ends the trouble while a page is tried',
    'storage/storage-trouble.ts',
    'trouble.failures === 0 || isTrying',
    'trouble.failures === 0',
    'storage-trouble',
  ),
  P(
    'ST4 what was still under way ends the trouble',
    'storage/storage-trouble.ts',
    'now >= trouble.until && (isQuiet',
    '(isQuiet',
    'storage-trouble',
  ),
  P(
    'ST4 what others write ends the trouble',
    'storage/storage-trouble.ts',
    'isQuiet || trouble.failed.includes(source)',
    'true',
    'storage-trouble',
    'nearly-full',
  ),
  P(
    'ST4 a full device is not recognised',
    'storage/storage-trouble.ts',
    '[error, of',
    '[of',
    'storage-trouble',
  ),
  P(
    'ST4 what Dexie wraps is not recognised',
    'storage/storage-trouble.ts',
    "of(error, 'inner'), ...",
    '...',
    'storage-trouble',
  ),
  P(
    'ST4 nobody is told that there is room again',
    'storage/storage-trouble.ts',
    'trouble.failures === 0 && isTold',
    'false',
    'storage-trouble',
  ),
  P(
    'ST4 what a handler threw is taken for the device’s',
    'storage/storage-trouble.ts',
    "'direction' in parameters",
    'false',
    'storage-trouble',
  ),
  P(
    'ST4 a closed gate is taken for the device’s trouble',
    'storage/storage-trouble.ts',
    '!isOfCalls && !stopped',
    '!stopped',
    'storage-trouble',
  ),
]
