/**
 * The support file helps a supporter to find the cause of a fault (docs/support.md). The app writes the file, `npm
 * run bundle` reads it. Records and changes are numbered and URLs are patterns, so that the file names no customer,
 * place or person. `contents` has the unsent work itself, only with the user's consent.
 */
import { type } from 'arktype'

/** Version of the format, raised by a change that older readers would misread. */
export const SUPPORT_VERSION = 1
export const SUPPORT_KIND = 'genba-work-support'
/** Maximum size in bytes. */
export const SUPPORT_MAX = 300_000
/** Maximum entries per list. The size limit may shorten a list further. */
export const SUPPORT_LIST_MAX = 2_000
const time = type('string <= 40')
const word = type('string <= 200')
const count = type('number >= 0')

const ofChange = type({
  /** Number of the change in this file, such as `c1`. */
  change: word,
  collection: word,
  kind: word,
  status: 'number',
  serverErrors: count,
  wish: word,
})
/** A change that the CRM has not accepted. */
const queued = ofChange.merge({
  record: word,
  /** The state on the screen: waiting, sending, failed, expired. */
  state: word,
  ledger: word,
  /** Only message keys. `otherReasons` counts the CRM's own texts. */
  reasons: word.array(),
  otherReasons: count,
  savedAt: time,
  offline: 'boolean',
  /** Number (such as `c1`) of another change, which the user must resolve before this one can be sent. */
  'heldBy?': word,
})

const moved = ofChange.merge({ at: time, from: word, to: word })

const called = type({
  at: time,
  method: word,
  path: word,
  status: 'number',
  ms: count,
  /** Size of the sent body in bytes; `received`: of the received one. */
  sent: count,
  received: count,
})

/** The measurements of one figure, such as a loading time. */
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
    documents: { '[string]': 'number' },
  },
  /** Why the queue waits although there is a connection; '' if there is no such reason. */
  wait: word,
  /** Waits before the next calls; empty if a call may begin now. `until` is '' if a wait has no fixed end. */
  waits: type({ api: "'crm' | 'files'", reason: word, until: time }).array(),
  queue: queued.array(),
  moves: moved.array(),
  calls: called.array(),
  figures: summary.array(),
  measured: type({ at: time, name: word, value: 'number', route: word }).array(),
  errors: logged.array(),
  /** Number of omitted entries by list. The oldest entries are omitted first. */
  leftOut: { '[string]': 'number' },
  /** Present if the user has ticked 内容も含める. */
  'contents?': {
    user: 'object',
    records: 'object[]',
    ledger: 'object[]',
    drafts: 'object[]',
    errors: 'object[]',
  },
})
export type SupportFile = typeof supportFile.infer
