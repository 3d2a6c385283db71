/** A quick report in a request's row, and in the answer to its creation (crm-contract 4). */
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
 * `quickReport` in a request's row. A summary with times but without an id is an error, because treating it as "no
 * report" would remove the report on the device.
 */
export const quickReportOrNone = type('unknown')
  .pipe(orNone('inTime', 'outTime', 'type'))
  .to(summary.or('null'))

export const quickReportCreated = type({ id: wireId, 'inTime?': wireDateTime })
