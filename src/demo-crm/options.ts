import type { DemoStore } from '#demo-crm/world/store.ts'

/** Variables of the contract (crm-contract 1). An endpoint is a URL or a path. */
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
  /** Returns epoch ms. */
  now: () => number
  sleep?: (ms: number) => Promise<void>
  /** True: a `POST` with an `Idempotency-Key` that was used before gets the first response. */
  honourIdempotency?: boolean
  /** Lifetime of access tokens and file store tokens in ms; default: 30 minutes. */
  accessTokenLifeMs?: number
  /**
   * True (default): JSON reads have an `ETag`, a matching `If-None-Match` gets a 304, and a wrong `If-Match` of a `PUT`
   * gets a 412.
   */
  etags?: boolean
  /** Number of days after today that have requests; default: 60. Tests use fewer, so that the app loads faster. */
  daysAhead?: () => number
  /** True writes date-times with `Z` instead of `+09:00`, which the contract allows too. */
  timesInZ?: boolean
}
