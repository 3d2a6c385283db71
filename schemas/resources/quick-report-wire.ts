/** What of quick reports comes in another form than its own row (crm-contract 4). */
import { type } from 'arktype'
import { orNone, wireCode, wireDateTime, wireId, wireText } from '#schemas/declare/wire.ts'

const summary = type({
  id: wireId,
  'inTime?': wireDateTime,
  'outTime?': wireDateTime,
  'type?': wireCode,
  'editStatus?': wireText,
})
/**
 * `quickReport` inside a request row. One that says when somebody came and not which report that is, is not taken for none:
 * the report that is on the device would go.
 */
export const quickReportOrNone = type('unknown')
  .pipe(orNone('inTime', 'outTime', 'type'))
  .to(summary.or('null'))

/** The answer to `POST quickReport/`. */
export const quickReportCreated = type({ id: wireId, 'inTime?': wireDateTime })
