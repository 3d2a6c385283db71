/** What of quick reports comes in another form than its own row (crm-contract 4). */
import { type } from 'arktype'
import { wireCode, wireDateTime, wireId, wireText } from './wire.ts'

/** `quickReport` inside a request row. */
export const quickReportSummaryWire = type({
  id: wireId,
  'inTime?': wireDateTime,
  'outTime?': wireDateTime,
  'type?': wireCode,
  'editStatus?': wireText,
})

/** The answer to `POST quickReport/`. */
export const quickReportCreated = type({ id: wireId, 'inTime?': wireDateTime })
