/**
 * The support file, by which a supporter can find the cause of a fault (docs/support.md). The app writes the file, `npm
 * run bundle` reads it. It names no customer, place or person: records and changes are numbered, URLs are patterns. The
 * unsent work itself (`contents`) is included only if the user agrees.
 */
import { type } from 'arktype'

/** Version of the format. A change that an older reader would misread raises it. */
export const SUPPORT_VERSION = 1
export const SUPPORT_KIND = 'genba-work-support'
/** Maximum size in bytes. */
export const SUPPORT_MAX = 300_000
/** Maximum entries per list; the size limit may shorten it further. */
export const SUPPORT_LIST_MAX = 2_000

const time = type('string <= 40')
const word = type('string <= 200')
const count = type('number >= 0')

/** A change that the CRM has not acknowledged. */
const queued = type({
  /** Numbers within this file, such as `c1` and `r1`. `moves` uses the same numbers. */
  change: word,
  record: word,
  collection: word,
  kind: word,
  /** The state on screen: waiting, sending, failed, expired. */
  state: word,
  /** The stored send state; '' if the change has none yet. */
  ledger: word,
  /** HTTP status of the last response; 0 if there was none. */
  status: 'number',
  /** Message keys only; `otherReasons` counts the CRM's own texts. */
  reasons: word.array(),
  otherReasons: count,
  savedAt: time,
  /** Number of 5xx answers. */
  serverErrors: count,
  /** True if the change was saved without a connection. */
  offline: 'boolean',
  /** What the user has requested: none, resend or discard. */
  wish: word,
  /** The change that must be resolved first. */
  'heldBy?': word,
})

/** One transition of a change's send state. */
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
  /** 0 if there was no answer. */
  status: 'number',
  ms: count,
  /** Bytes. */
  sent: count,
  /** Bytes. */
  received: count,
})

/** Why the next call to one of the two APIs has to wait. */
const waiting = type({ api: "'crm' | 'files'", reason: word, until: time })

/** Statistics of one measured figure. */
const summary = type({
  name: word,
  unit: word,
  count,
  /** Number of measurements in the last 24 hours. */
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
    /** Number of documents by collection. */
    documents: { '[string]': 'number' },
  },
  /** Why the queue is waiting; '' if only for the connection. */
  wait: word,
  /** Empty if the next call may begin. `until` is '' if the wait has no fixed end. */
  waits: waiting.array(),
  queue: queued.array(),
  moves: moved.array(),
  calls: called.array(),
  figures: summary.array(),
  measured: measured.array(),
  errors: logged.array(),
  /** Number of omitted entries, by list. The oldest entries are omitted first. */
  leftOut: { '[string]': 'number' },
  /** 内容も含める: only if the user has chosen it. */
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
