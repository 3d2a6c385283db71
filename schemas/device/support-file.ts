/**
 * The support file: what somebody who was not there needs to find out what went wrong (docs/support.md). Written by the app
 * and read by `npm run bundle`, both by this. It names no customer, no place and no person: records and changes are
 * counted, addresses are patterns. Only where the user says so, `contents` has what was written and not sent.
 */
import { type } from 'arktype'

/** Another one where a reader of this one would misread it. */
export const SUPPORT_VERSION = 1
export const SUPPORT_KIND = 'genba-work-support'
/** Bytes of the file. */
export const SUPPORT_MAX = 300_000
/** Of each list, before the size is looked at. */
export const SUPPORT_LIST_MAX = 2_000

const time = type('string <= 40')
const word = type('string <= 200')
const count = type('number >= 0')

/** A change that the CRM has not acknowledged. */
const queued = type({
  /** `c1`, `r1`: counted in this file, the same in `moves`. */
  change: word,
  record: word,
  collection: word,
  kind: word,
  /** What the user reads: waiting, sending, failed, expired. */
  state: word,
  /** The ledger's state; '' where it has no row yet. */
  ledger: word,
  /** HTTP status of the last answer, 0: none. */
  status: 'number',
  /** Message keys alone; `otherReasons` counts the CRM's own words. */
  reasons: word.array(),
  otherReasons: count,
  savedAt: time,
  /** How often the CRM answered 5xx to it. */
  serverErrors: count,
  offline: 'boolean',
  wish: word,
  /** The change it waits for. */
  'heldBy?': word,
})

const moved = type({
  at: time,
  change: word,
  collection: word,
  kind: word,
  from: word,
  to: word,
  status: 'number',
  serverErrors: count,
  wish: word,
})

const called = type({
  at: time,
  method: word,
  path: word,
  /** 0: no answer. */
  status: 'number',
  ms: count,
  sent: count,
  received: count,
})

const summary = type({
  name: word,
  unit: word,
  count,
  lastDay: count,
  median: 'number',
  p75: 'number',
  p98: 'number',
  rating: word,
})

const measured = type({ at: time, name: word, value: 'number', route: word })

const logged = type({
  at: time,
  message: 'string <= 4000',
  stack: 'string <= 4000',
  response: 'string <= 4000',
  screen: word,
})

export const supportFile = type({
  kind: type.unit(SUPPORT_KIND),
  version: type.unit(SUPPORT_VERSION),
  made: time,
  app: { version: word, browser: word, system: word, online: 'boolean', installed: 'boolean' },
  session: { signedIn: 'boolean', expired: 'boolean', role: 'number | null' },
  storage: {
    used: 'number | null',
    free: 'number | null',
    persisted: 'boolean | null',
    /** Documents by collection. */
    documents: { '[string]': 'number' },
  },
  /** Why what could go has not gone; '': nothing is in the way but the connection. */
  wait: word,
  queue: queued.array(),
  moves: moved.array(),
  calls: called.array(),
  figures: summary.array(),
  measured: measured.array(),
  errors: logged.array(),
  /** How many of each list had no room: the oldest. */
  leftOut: { '[string]': 'number' },
  /** 内容も含める. */
  'contents?': {
    user: 'object',
    records: 'object[]',
    ledger: 'object[]',
    drafts: 'object[]',
    errors: 'object[]',
  },
})
export type SupportFile = typeof supportFile.infer
export type SupportContents = NonNullable<SupportFile['contents']>
