/**
 * A fetch request says what a screen wants to read from the CRM. Screens write it and the pull answers it, so that no
 * screen waits for the network. Its kinds:
 *
 * - `search`: a search for days that are not on the device.
 * - `detail`: a whole request, or the record with id `recordKey` in the collection `resource`.
 * - `photos`: the photos of a record.
 * - `refresh`: everything.
 * - `list`: one list of records, which need not belong to a request on the device.
 * - `prefetch`: written by the pull itself to record that a list was read and is on the device
 *   (`schemas/collections/prefetch`); `answeredAt` is the time of the last confirmation. A request whose lists are all on
 *   the device can be used offline (sync RULES PL4).
 */
import { type } from 'arktype'
import { requestFilter } from '#schemas/resources/request-filter.ts'

export const INTEREST_KEY_MAX = 120

export const interest = type({
  key: `string <= ${INTEREST_KEY_MAX}`,
  kind: "'search' | 'detail' | 'refresh' | 'photos' | 'list' | 'prefetch'",
  'filter?': requestFilter,
  /** For `detail` the request. For `list` a request through which the list can be read. */
  'requestId?': 'string',
  'workingDate?': 'string',
  /** For `photos` and `detail` the record. For `list` the collection and the list's owner. */
  'resource?': 'string',
  'recordKey?': 'string',
  /** For `list`: number of pages, if the screen needs more than the default. */
  'pages?': 'number',
  /** For `prefetch`: digest of what the list depends on. If the digest changes, the list is read again. */
  'because?': 'string',
  /** For `prefetch`: the stamp of the read. */
  'stamp?': 'string',
  askedAt: 'string',
  state: "'asked' | 'answered' | 'missing' | 'failed'",
  answeredAt: 'string',
  /** For `search`: number of rows that the CRM found. */
  total: 'number',
})
export type Interest = typeof interest.infer
