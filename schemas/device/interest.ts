/**
 * A fetch request: what a screen wants to read from the CRM. Screens write it and the pull answers it; no
 * screen calls the network or waits for it. Its kinds:
 *
 * - `search`: a search beyond the device's window.
 * - `detail`: a whole request, or the record with id `recordKey` in the collection `resource`.
 * - `photos`: the photos of a record.
 * - `refresh`: everything.
 * - `list`: one list of records, even if no request on the device needs it. It is answered when its records are on the
 *   device.
 * - `prefetch`: not a request of a screen. The pull records by it that a list was read and is on the device
 *   (`schemas/collections/prefetch`); `answeredAt` is the time of the last confirmation. A request whose lists are all on
 *   the device can be used offline (sync RULES PL4).
 */
import { type } from 'arktype'
import { requestFilter } from '#schemas/resources/request-filter.ts'

export const INTEREST_KEY_MAX = 120

export const interest = type({
  key: `string <= ${INTEREST_KEY_MAX}`,
  kind: "'search' | 'detail' | 'refresh' | 'photos' | 'list' | 'prefetch'",
  /** For `search`. */
  'filter?': requestFilter,
  /** For `detail`; for `list`, a request through which the list is read. */
  'requestId?': 'string',
  'workingDate?': 'string',
  /** For `photos` and `detail`, the record; for `list`, the collection and the list's owner. */
  'resource?': 'string',
  'recordKey?': 'string',
  /** For `list`: number of pages, if more than the pull reads by default. */
  'pages?': 'number',
  /** For `prefetch`: a digest of the reason for reading the list. If the reason changes, the list is read again. */
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
