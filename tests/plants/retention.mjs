/** Planted defects of `sync/retention/` that the seeds of the pulling simulation do not tell. */
import { P } from './plant.mjs'

export const retention = [
  P(
    'SV3 a record expires though something of it is unsent',
    'retention/expiry.ts',
    'changes.length === 0 && (',
    '(',
    'orphans',
  ),
  P(
    'EX3 a record expires by the clock that people set',
    'retention/expiry.ts',
    'isOlder(stamp, clock.borneOut())',
    'isOlder(stamp, clock.now())',
    'orphans',
  ),
  P(
    'SV3 an expired request goes though something hangs on it',
    'pull/request-removals.ts',
    'docs.filter((doc) => !onRequest(doc))',
    'docs',
    'expiry',
  ),
  P('SV3 a draft holds no request back', 'retention/dependents.ts', 'drafted.has(id) ||', '', 'expiry'),
  P('EX1 drafts stay for ever', 'retention/draft-expiry.ts', '_meta.lwt >= touchedBefore', 'true', 'drafts'),
  P('EX1 drafts go at once', 'retention/draft-expiry.ts', '_meta.lwt >= touchedBefore', 'false', 'drafts'),
  P(
    'EX3 what a clock that was set back stamps counts as old',
    'lib/day-marks.ts',
    'mark.wall > wall ? { ...mark, wall } : mark',
    'mark',
    'day-marks',
  ),
  P(
    'EX3 a draft is as old as the time that is borne out says',
    'runtime/start-sync.ts',
    'typedBefore: time.dayOldBefore()',
    'typedBefore: time.ofSaves() - 86_400_000',
    'draft-clock',
  ),
  P(
    'SV1 a save that has begun expires',
    'retention/draft-expiry.ts',
    "saving !== '' || _meta",
    '_meta',
    'drafts',
  ),
  P(
    'SV3 bytes of a saved photo go with its draft',
    'retention/draft-expiry.ts',
    'if (!saved.has(key))',
    '',
    'drafts',
  ),
  P(
    'EX1 records of requests that went stay',
    'pull/orphans.ts',
    'old.length === 0',
    'true',
    'orphans',
    'expiry',
  ),
  P(
    'EX1 what a record said before stays',
    'retention/history-expiry.ts',
    '!isOlder(stamp, now)',
    'true',
    'others-edits',
  ),
  P(
    'MG5 what an unsent edit replaced goes before it is sent',
    'retention/history-expiry.ts',
    'unsent.has(`${name} ${doc.key}`)',
    'false',
    'others-edits',
  ),
]
