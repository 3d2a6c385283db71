/** Facts that telemetry collects: numbers, and words from fixed lists, never typed text. */
import { isSendable, type SendState } from '#schemas/changes/change-queue.ts'
import type { SendFacts } from '#schemas/change.ts'
import { PHOTOS } from '#schemas/changes/photo-queue.ts'
import { isPushCollection } from '#schemas/collections/push-collections.ts'
import { isParked, sendableOf, type Outbox } from '#data/outbox/outbox.ts'
import type { StorageFacts } from '#lib/browser/storage-full.ts'
import type { FigureSummary } from '#lib/field-figures.ts'
import type { CallCounts } from '#app/diagnostics/recorder.ts'
import type { ErrorEntry } from '#app/diagnostics/store.ts'

export interface Facts {
  at: number
  version: string
  isBelowMinimum: boolean
  /** Sum of the stores' schema versions, which each migration increases; null while no user's data is open. */
  layout: number | null
  queue: QueueFacts | null
  storage: StorageFacts
  errors: readonly ReturnType<typeof errorFact>[]
  figures: readonly FigureSummary[]
  calls: CallCounts
}

/** Final send states, which telemetry counts. The app itself does not send such a change again. */
export const OUTCOMES = ['accepted', 'refused', 'expired', 'discarded'] as const

export type SettledFact = ReturnType<typeof settledFact>[number]

export type QueueFacts = ReturnType<typeof queueFacts>

export function queueFacts(outbox: Outbox) {
  const photos = outbox.photos.flatMap(({ items }) => items)
  const unsent: Record<SendState, number> = { waiting: 0, sending: 0, failed: 0, expired: 0 }
  for (const { state } of outbox.queue) unsent[Object.hasOwn(unsent, state) ? state : 'waiting'] += 1
  const sendable = sendableOf(outbox).filter((item) => isSendable(item) && !isParked(item))
  return {
    unsent,
    photos: photos.length,
    oldest: oldestOf([...outbox.queue, ...photos]),
    oldestSendable: oldestOf(sendable),
    /** True if unsent work waits because the CRM asks for fewer calls or does not answer. */
    waits: outbox.wait !== null,
    settled: [...outbox.progress.values()].flatMap(settledFact),
  }
}

function settledFact({ id, state, settledAt, resource, status }: SendFacts) {
  const outcome = OUTCOMES.find((each) => each === state)
  if (!outcome) return []
  const known = resource === PHOTOS || isPushCollection(resource) ? resource : 'other'
  // The id is the outcome's: if a change is sent again and refused again, its second refusal has another id.
  return [{ id: `${id} ${state} ${settledAt}`, outcome, resource: known, status }]
}

function oldestOf(items: Outbox['queue']): number | null {
  const times = items.map(({ change }) => Date.parse(change.savedAt)).filter(Number.isFinite)
  return times.length > 0 ? Math.min(...times) : null
}

/** Error names that telemetry may send. Any other name is sent as `other`, because it may contain typed text. */
const ERROR_TYPES: ReadonlySet<string> = new Set(
  [
    'Error EvalError RangeError ReferenceError SyntaxError TypeError URIError AggregateError',
    'AbortError ConstraintError DataCloneError DataError InvalidStateError NetworkError',
    'NotAllowedError NotFoundError NotReadableError NotSupportedError OperationError',
    'QuotaExceededError SecurityError TimeoutError TransactionInactiveError UnknownError',
    'VersionError DatabaseClosedError OpenFailedError MissingAPIError RxError RxTypeError FetchError',
    'NewerStores MigrationFailed',
  ].flatMap((line) => line.split(' ')),
)
const MAX_FRAMES = 5
const FRAME = /^\s*(?:at .*|[^\s@]*@\S*)\/(assets\/[\w.-]{1,80}-[\w-]{8}\.js:\d{1,6}:\d{1,7})\)?$/

/**
 * An error's type and its place in the app's code, without the message, which may contain typed text. `fingerprint`:
 * digest of message and files, the same in every version. `frames`: `assets/name-hash.js:line:column`, innermost first.
 */
export function errorFact({ id, at, message, stack }: ErrorEntry) {
  const type = errorType(message)
  const frames = stack
    .split('\n')
    .flatMap((line) => FRAME.exec(line)?.slice(1) ?? [])
    .slice(0, MAX_FRAMES)
  const files = frames.map((frame) => frame.replace(/(?:-[\w-]{8})?\.js:.*/, ''))
  // The fingerprint has only Latin words, because numbers and Japanese text may differ each time the error occurs.
  const words = message.replaceAll(/[^A-Za-z ]/g, '')
  return { id, at: Date.parse(at), type, frames, fingerprint: digest([type, words, ...files].join('\n')) }
}

function errorType(message: string): string {
  const status = /^HTTP ([1-5]\d\d)$/.exec(message)
  if (status) return `HTTP ${status[1]}`
  const name = /^(?:Error: )?([A-Za-z]+):/.exec(message)?.[1] ?? ''
  return ERROR_TYPES.has(name) ? name : 'other'
}

/** Hashes the text with FNV-1a (32 bits) from two seeds. @returns 16 hex digits */
function digest(text: string): string {
  const half = (seed: number) => {
    let hash = seed
    for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    return (hash >>> 0).toString(16).padStart(8, '0')
  }
  return half(0x811c9dc5) + half(0x2f0b4a27)
}
