/** Planted defects of `sync/retention/` that the seeds of the pulling simulation do not tell. */
import { P } from './plant.mjs'

export const retention = [
  P(
    'SV3 a record expires though something of it is unsent',
    'retention/expiry.ts',
    'changes.length === 0 && (',
    '(',
    'pull/orphans',
  ),
  P(
    'EX3 a record expires by the clock that people set',
    'retention/expiry.ts',
    'isOlder(stamp, clock.expiryNow())',
    'isOlder(stamp, clock.now())',
    'pull/orphans',
  ),
  P(
    'SV3 an expired request goes though something hangs on it',
    'pull/requests/request-removals.ts',
    'docs.filter((doc) => !onRequest(doc))',
    'docs',
    'retention/expiry',
  ),
  P('SV3 a draft holds no request back', 'retention/expiry.ts', 'isDrafted(id) ||', '', 'retention/expiry'),
  P('EX1 drafts stay for ever', 'retention/expiry.ts', '_meta.lwt >= touchedBefore', 'true', 'drafts/drafts'),
  P('EX1 drafts go at once', 'retention/expiry.ts', '_meta.lwt >= touchedBefore', 'false', 'drafts/drafts'),
  P(
    'EX3 what a clock that was set back stamps counts as old',
    'lib/trusted-clock.ts',
    'mark.wall > wall ? { ...mark, wall } : mark',
    'mark',
    'retention/day-marks',
  ),
  P(
    'EX3 a draft is as old as the time that is borne out says',
    'runtime/start-sync.ts',
    'typedBefore: time.dayOldBefore()',
    'typedBefore: time.saveNow() - 86_400_000',
    'drafts/draft-clock',
  ),
  P(
    'SV1 a save that has begun expires',
    'retention/expiry.ts',
    "saving !== '' || _meta",
    '_meta',
    'drafts/drafts',
  ),
  P(
    'SV3 bytes of a saved photo go with its draft',
    'retention/expiry.ts',
    'if (!saved.has(key))',
    '',
    'drafts/drafts',
  ),
  P(
    'EX1 records of requests that went stay',
    'pull/records/pull-records.ts',
    'old.length === 0',
    'true',
    'pull/orphans',
    'retention/expiry',
  ),
  P(
    'EX1 what a record said before stays',
    'retention/expiry.ts',
    '!isOlder(stamp, now)',
    'true',
    'merge/others-edits',
  ),
  P(
    'MG5 what an unsent edit replaced goes before it is sent',
    'retention/expiry.ts',
    'unsent.has(`${name} ${doc.key}`)',
    'false',
    'merge/others-edits',
  ),
]
