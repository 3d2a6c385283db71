/**
 * What a screen would like to have from the CRM: a search beyond what is kept on the device, one request whole, the
 * photos of a record, or everything anew. Screens write it, the pull answers it; no screen ever calls the network or
 * waits for it.
 */
import { type } from 'arktype'
import { requestFilter } from './request-filter.ts'

export const INTEREST_KEY_MAX = 120

export const interest = type({
  key: `string <= ${INTEREST_KEY_MAX}`,
  kind: "'search' | 'detail' | 'refresh' | 'photos'",
  /** kind search */
  'filter?': requestFilter,
  /** kind detail */
  'requestId?': 'string',
  'workingDate?': 'string',
  /** kind photos */
  'resource?': 'string',
  'recordKey?': 'string',
  askedAt: 'string',
  state: "'asked' | 'answered' | 'missing' | 'failed'",
  answeredAt: 'string',
  /** Rows the CRM counted for a search. */
  total: 'number',
})
export type Interest = typeof interest.infer
