/** Planted defects of `sync/merge/`. */
import { P } from './plant.mjs'

export const merge = [
  P(
    'OR2 a touch counts as sent',
    'merge/conflict.ts',
    "context === 'upstream-check-if-equal' && b.changes.length > 0",
    'false',
    'resume-queue',
    'resources',
    'decisions',
  ),
  P(
    'MG1 the older value wins',
    'merge/merge.ts',
    'order(b.stamp, a.stamp) ||',
    'order(a.stamp, b.stamp) ||',
    'merge-cases',
  ),
  P(
    'MG2 times are compared as texts',
    'merge/merge.ts',
    'one === other || Date.parse(one) === Date.parse(other)',
    'one === other',
    'merge-cases',
  ),
  P(
    'MG2 what others said is not kept',
    'merge/merge.ts',
    'theirs[field]?.[0]?.stamp === stamp',
    'false',
    'merge-cases',
  ),
  P(
    'MG2 a reason without its type',
    'merge/merge.ts',
    'isWhole && together.includes(field)',
    'false',
    'merge-cases',
  ),
  P(
    'MG3 what an edit was made on is lost',
    'merge/merge-edit.ts',
    'change.stamp > sent.stamp ? {',
    'false ? {',
    'edit-on-edit',
  ),
  P(
    'PL3 a summary from before the report’s own is believed',
    'merge/quick-report-summaries.ts',
    'request.readStamp > report.server.stamp',
    'true',
    'quick-report-summaries',
  ),
]
