/**
 * What is told of an entry of the error log: of what kind it is, and where in the app's own files. Its message is not told
 * (sync RULES EX7 keeps values out of it, but it is text); a digest of it tells two errors apart.
 */
import type { ErrorLogEntry } from '#app/diagnostics/error-log-entry.ts'

export interface ErrorFact {
  id: string
  /** Epoch ms. */
  at: number
  type: string
  /** Same cause, same fingerprint, also in another version. */
  fingerprint: string
  /** `assets/name-hash.js:line:column`, innermost first; source maps lie in dist-about. */
  frames: string[]
}

/** Of names only these are told: any other may be part of a text. */
const TYPES: ReadonlySet<string> = new Set(
  [
    'Error EvalError RangeError ReferenceError SyntaxError TypeError URIError AggregateError',
    'AbortError ConstraintError DataCloneError DataError InvalidStateError NetworkError',
    'NotAllowedError NotFoundError NotReadableError NotSupportedError OperationError',
    'QuotaExceededError SecurityError TimeoutError TransactionInactiveError UnknownError',
    'VersionError DatabaseClosedError OpenFailedError MissingAPIError RxError RxTypeError FetchError',
    'NewerStores MigrationFailed',
  ].flatMap((line) => line.split(' ')),
)
const OTHER = 'other'
const MOST_FRAMES = 5
/** A line of a stack in Chromium's words, or in Safari's and Firefox's; the lines before them are the message. */
const FRAME = /^\s*(?:at .*|[^\s@]*@\S*)\/(assets\/[\w.-]{1,80}-[\w-]{8}\.js:\d{1,6}:\d{1,7})\)?$/

export function errorFact({ id, at, message, stack }: ErrorLogEntry): ErrorFact {
  const type = typeOf(message)
  const frames = stack.split('\n').flatMap(frameOf).slice(0, MOST_FRAMES)
  const files = frames.map((frame) => frame.replace(/(?:-[\w-]{8})?\.js:.*/, ''))
  // numbers, and what is written in Japanese, differ from one time to the next
  const words = message.replaceAll(/[^A-Za-z ]/g, '')
  return { id, at: Date.parse(at), type, frames, fingerprint: digest([type, words, ...files].join('\n')) }
}

const frameOf = (line: string): string[] => FRAME.exec(line)?.slice(1) ?? []

function typeOf(message: string): string {
  const status = /^HTTP ([1-5]\d\d)$/.exec(message)
  if (status) return `HTTP ${status[1]}`
  const name = /^(?:Error: )?([A-Za-z]+):/.exec(message)?.[1] ?? ''
  return TYPES.has(name) ? name : OTHER
}

/** FNV-1a of 32 bits, twice, as 16 hex digits. */
function digest(text: string): string {
  const half = (seed: number) => {
    let hash = seed
    for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    return (hash >>> 0).toString(16).padStart(8, '0')
  }
  return half(0x811c9dc5) + half(0x2f0b4a27)
}
