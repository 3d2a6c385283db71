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
  P(
    'PL4 that the window was read is said before its rows are there',
    'pull/window-receipt.ts',
    'new Set(keys)',
    'new Set<string>()',
    'pull-pages',
  ),
  P(
    'PL4 a round of what is near says that the window was read',
    'pull/pull-requests.ts',
    "own.rounds.range === 'window' && !end.isDoubted",
    '!end.isDoubted',
    'pull-pages',
  ),
  P(
    'PL4 what an IME leaves around a text is searched for',
    'pull/search-paging.ts',
    'filter.requestCode.trim()',
    'filter.requestCode',
    'search-paging',
  ),
  P(
    'PL8 a timer that runs before its time is not set again',
    'pull/engine-effects.ts',
    'ticks.now() < at ? come$(at) : [at]',
    '[at]',
    'tried-again',
  ),
  P(
    'PL8 a plan is not told that a list could not be read',
    'pull/engine-read-effects.ts',
    'await work.failed?.(command.outcome, command.tries)',
    'await Promise.resolve()',
    'tried-again',
  ),
  P(
    'trap 16 a pull of what is pushed ends by itself',
    'pull/engine-step.ts',
    '!isBusy(state) && !state.stays',
    '!isBusy(state)',
    'blocked-write',
    'engine-step',
  ),
]
