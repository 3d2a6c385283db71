/** A quick report in a request's row, and in the response to its creation (crm-contract 4). */
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
 * `quickReport` in a request row. A summary with times but without an id is an error, not "no report":
 * otherwise the report on the device would be removed.
 */
export const quickReportOrNone = type('unknown')
  .pipe(orNone('inTime', 'outTime', 'type'))
  .to(summary.or('null'))

/** The response to `POST quickReport/`. */
export const quickReportCreated = type({ id: wireId, 'inTime?': wireDateTime })
