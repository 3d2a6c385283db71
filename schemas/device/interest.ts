/**
 * A fetch request (`Interest`): an order to read something from the CRM. A screen stores it and the pull carries it out,
 * so that no screen waits for the network. Its kinds:
 *
 * - `search`: a search for days that are not on the device.
 * - `detail`: a whole request, or the record with id `recordKey` in the collection `resource`.
 * - `photos`: the photos of a record.
 * - `refresh`: everything.
 * - `list`: one list of records, which need not belong to a request on the device.
 * - `prefetch`: no order, but a note of the pull that it has read a list and stored it on the device
 *   (`schemas/collections/prefetch`). `answeredAt` is the time of the last confirmation. A request whose lists are all
 *   on the device can be used offline (sync RULES PL4).
 */
import { type } from 'arktype'

/** The values of the form 検索条件. */
const requestFilter = type({
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
export const INTEREST_KEY_MAX = 120

export const interest = type({
  key: `string <= ${INTEREST_KEY_MAX}`,
  kind: "'search' | 'detail' | 'refresh' | 'photos' | 'list' | 'prefetch'",
  'filter?': requestFilter,
  /** Kind `detail`: the request. Kind `list`: any request by whose id the list can be read. */
  'requestId?': 'string',
  'workingDate?': 'string',
  /** Kinds `photos` and `detail`: collection and key of the record. Kind `list`: collection and owner of the list. */
  'resource?': 'string',
  'recordKey?': 'string',
  /** Kind `list`: number of pages, if the screen needs more than the default. */
  'pages?': 'number',
  /** Kind `prefetch`: digest of what the list depends on: a change causes a new read. `WINDOW_LIST`: unread days. */
  'because?': 'string',
  /** Kind `prefetch`: stamp of the read. */
  'stamp?': 'string',
  askedAt: 'string',
  state: "'asked' | 'answered' | 'missing' | 'failed'",
  answeredAt: 'string',
  /** Kind `search`: number of rows that the CRM found. */
  total: 'number',
})
export type Interest = typeof interest.infer
