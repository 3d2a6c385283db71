/** The options of the demo CRM that its host sets. */
import type { DemoStore } from '#demo-crm/world/store.ts'

/** The contract's variables (crm-contract 1). An endpoint is a URL or a path. */
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
  /** Lifetime of access tokens and file store tokens; 30 minutes by default. */
  accessTokenLifeMs?: number
  /**
   * If true (default), JSON reads have an `ETag`, `If-None-Match` gets a 304, and the `If-Match`
   * of a `PUT` can get a 412.
   */
  etags?: boolean
  /**
   * Number of days ahead that the office has planned; 60 by default. Tests use fewer, so that the phone loads faster.
   */
  daysAhead?: () => number
  /** Writes date-times with `Z` instead of `+09:00`; the contract allows any offset. */
  timesInZ?: boolean
}
