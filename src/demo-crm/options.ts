/** What a host gives the demo CRM. */
import type { DemoStore } from './store.ts'

/** The contract's variables (crm-contract 1); an endpoint may be absolute or a path. */
export interface DemoCrmEnv {
  apiEndpoint: string
  crmEndpoint: string
  securityEndpoint: string
  securityKey: string
  fileStoreEndpoint: string
}

export interface DemoCrmOptions {
  env: DemoCrmEnv
  store: DemoStore
  /** Epoch ms. */
  now: () => number
  /** Waits for a delay fault. */
  sleep?: (ms: number) => Promise<void>
  honourIdempotency?: boolean
  /** Life of an access token and of a file-store token, 30 minutes by default. */
  accessTokenLifeMs?: number
  /** Sends `ETag` on JSON reads, answers `If-None-Match` with 304 and `If-Match` of a `PUT` with 412, by default. */
  etags?: boolean
  /** How far the office has planned: 60 days by default. A day of tests is sooner on the phone with few. */
  daysAhead?: () => number
  /** Writes date-times with `Z` instead of `+09:00`: the contract allows a CRM any offset. */
  timesInZ?: boolean
}
