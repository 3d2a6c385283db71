/**
 * What a screen would like to have from the CRM: a search beyond what is kept on the device, one request whole, the
 * photos of a record, or everything anew. Screens write it, the pull answers it; no screen ever calls the network or
 * waits for it.
 *
 * kind detail asks for a request, or where `resource` names a collection for the one record of it that the CRM knows by
 * `recordKey`.
 *
 * kind list asks for one list of records anew, also where no request on the device needs it: a device's past reports, an
 * area's notes. It is answered when its documents are on the device.
 *
 * kind prefetch is the pull's own: one row for each list of records that was read and is on the device (`schemas/prefetch`).
 * A request all of whose lists are there can be used offline (sync RULES PL4); `answeredAt` says when that was confirmed.
 */
import { type } from 'arktype'
import { requestFilter } from '#schemas/resources/request-filter.ts'

export const INTEREST_KEY_MAX = 120

export const interest = type({
  key: `string <= ${INTEREST_KEY_MAX}`,
  kind: "'search' | 'detail' | 'refresh' | 'photos' | 'list' | 'prefetch'",
  /** kind search */
  'filter?': requestFilter,
  /** kind detail; kind list: a request through which the list is read */
  'requestId?': 'string',
  'workingDate?': 'string',
  /** kind photos, detail: the record; kind list: the collection, and what the list belongs to. */
  'resource?': 'string',
  'recordKey?': 'string',
  /** kind list: how many pages, where the pull would read fewer. */
  'pages?': 'number',
  /** kind prefetch: what the list was read for, as a digest (another one: it is read again), and the stamp of the read. */
  'because?': 'string',
  'stamp?': 'string',
  askedAt: 'string',
  state: "'asked' | 'answered' | 'missing' | 'failed'",
  answeredAt: 'string',
  /** Rows the CRM counted for a search. */
  total: 'number',
})
export type Interest = typeof interest.infer
