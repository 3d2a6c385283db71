/**
 * What a screen would like to have from the CRM: a search beyond what is kept on the device, one request whole, the
 * photos of a record, or everything anew. Screens write it, the pull answers it; no screen ever calls the network or
 * waits for it.
 *
 * kind prefetch is the pull's own: one row for each list of records that was read and is on the device (`schemas/prefetch`).
 * A request all of whose lists are there can be used offline (sync RULES PL4); `answeredAt` says when that was confirmed.
 */
import { type } from 'arktype'
import { requestFilter } from './request-filter.ts'

export const INTEREST_KEY_MAX = 120

export const interest = type({
  key: `string <= ${INTEREST_KEY_MAX}`,
  kind: "'search' | 'detail' | 'refresh' | 'photos' | 'prefetch'",
  /** kind search */
  'filter?': requestFilter,
  /** kind detail */
  'requestId?': 'string',
  'workingDate?': 'string',
  /** kind photos */
  'resource?': 'string',
  'recordKey?': 'string',
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
