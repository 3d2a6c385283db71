/** Planted defects of `sync/merge/`. */
import { P } from './plant.mjs'

export const merge = [
  P(
    'MG1 the older value wins',
    'merge/merge.ts',
    '.toSorted(newestFirst)\n    const distinct',
    '.toSorted((x, y) => newestFirst(y, x))\n    const distinct',
    'merge/merge-cases',
  ),
  P(
    'MG2 times are compared as texts',
    'merge/merge.ts',
    'return sameInstant(a, b)',
    'return a === b',
    'merge/merge-cases',
  ),
  P(
    'MG2 what others said is not kept',
    'merge/merge.ts',
    'serverEdits[field]?.[0]?.stamp === stamp',
    'false',
    'merge/merge-cases',
  ),
  P(
    'MG2 a reason without its type',
    'merge/merge.ts',
    'isGroupEdited && together.includes(field)',
    'false',
    'merge/merge-cases',
  ),
  P(
    'MG3 what an edit was made on is lost',
    'merge/merge.ts',
    'const base = change.madeOn',
    'const base = undefined',
    'changes/edit-on-edit',
  ),
  P(
    'PL3 a summary from before the report’s own is believed',
    'pull/records/pull-quick-reports.ts',
    'readStamp <= report.server.stamp',
    'false',
    'pull/quick-report-summaries',
  ),
]
