/** Planted defects of `sync/resources/`. */
import { P } from './plant.mjs'

export const resources = [
  P(
    'OC3 a refused read proves that nothing is there',
    'resources/resource.ts',
    "outcome.kind === 'missing' ? { kind: 'absent' }",
    "outcome.kind !== 'unreachable' ? { kind: 'absent' }",
    'resources/resources',
    'resources/records',
    'changes/outage',
  ),
  P(
    'OC6 another record’s row is ours',
    'resources/resource.ts',
    'isOurs(row) && !taken.has(row.id)',
    'isOurs(row)',
    'changes/read-back',
  ),
  P(
    'OC6 a list that is not complete proves it',
    'resources/resource.ts',
    '!read.complete',
    'false',
    'changes/read-back',
  ),
  P(
    'a POST without its key',
    'resources/declared-resource.ts',
    'body, idempotencyKey: change.id',
    'body',
    'resources/resources',
    'resources/records',
    'resources/emergency-report',
    'resources/safety-measure',
  ),
  P(
    'what only the CRM knows is forgotten by an edit',
    'resources/declared-resource.ts',
    '...record.server,',
    '',
    'resources/resources',
    'resources/records',
    'resources/note-location-area',
    'resources/emergency-report',
  ),
  P(
    'OC3 a report of another day is read back',
    'resources/quick-report.ts',
    'row.workingDate === record.workingDate ? row.quickReport : null',
    'row.quickReport',
    'changes/quick-report-outcome',
    'resources/resources',
    'resources/quick-report',
  ),
  P(
    'a report changed by others goes with the group',
    'resources/quick-report.ts',
    'JSON.stringify(contentOf(member, own)) === JSON.stringify(content)',
    'true',
    'resources/resources',
  ),
]
