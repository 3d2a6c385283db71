/** The values of the form 検索条件. */
import { type } from 'arktype'

export const requestFilter = type({
  /** `YYYY-MM-DD` or ''. */
  from: 'string',
  to: 'string',
  requestCode: 'string',
  locationName: 'string',
  customerName: 'string',
  /** Order flags to show. Empty means all. */
  orderFlags: 'string[]',
  emergencyOnly: 'boolean',
})
export type RequestFilter = typeof requestFilter.infer
