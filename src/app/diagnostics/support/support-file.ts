/** What a support file says of what the device knows: pure. Ids are counted here, and nothing of a content is looked at. */
import { PAUSED, type QueueItem } from '#schemas/change-queue.ts'
import { SUPPORT_KIND, SUPPORT_LIST_MAX, SUPPORT_VERSION, type SupportFile } from '#schemas/support-file.ts'
import { summariesOf, type Figure } from '#lib/field-figures.ts'
import type { ErrorLogEntry } from '#app/diagnostics/error-log-entry.ts'
import type { JournalCall, JournalMove } from '#app/diagnostics/journal.ts'
import { errorLine } from './error-lines.ts'

const DAY_MS = 24 * 3_600_000

/** Without the lists: they are made here. */
type Plain = Pick<SupportFile, 'app' | 'session' | 'storage' | 'wait'>

export interface SupportFacts extends Plain {
  /** Epoch ms. */
  now: number
  /** Records' changes and photos, in sending order. */
  queue: readonly QueueItem[]
  calls: readonly JournalCall[]
  moves: readonly JournalMove[]
  figures: readonly Figure[]
  errors: readonly ErrorLogEntry[]
  /** Ids and names that no line of the error log may have. */
  known: readonly string[]
  contents?: SupportFile['contents']
}

export function supportFileOf(facts: SupportFacts): SupportFile {
  const { app, session, storage, wait, now, contents } = facts
  const change = counted('c')
  const record = counted('r')
  const since = new Date(now - DAY_MS).toISOString()
  return {
    kind: SUPPORT_KIND,
    version: SUPPORT_VERSION,
    made: new Date(now).toISOString(),
    app,
    session,
    storage,
    wait,
    queue: newest(facts.queue.map((item) => queuedOf(item, change, record))),
    moves: newest(facts.moves.map((move) => movedOf(move, change))),
    calls: newest(facts.calls.map(calledOf)),
    figures: summariesOf(facts.figures, now),
    measured: newest(facts.figures.filter(({ at }) => at >= since).map(measuredOf)),
    errors: newest(facts.errors.map((entry) => errorLine(entry, facts.known))),
    leftOut: {},
    ...(contents && { contents }),
  }
}

const newest = <T>(list: T[]): T[] => list.slice(-SUPPORT_LIST_MAX)

/** The first is `c1`, and is so wherever it is named again. */
function counted(letter: string) {
  const seen = new Map<string, string>()
  return (id: string): string => {
    const known = seen.get(id) ?? `${letter}${seen.size + 1}`
    seen.set(id, known)
    return known
  }
}

/** The app's own words for a refusal; anything else may be the CRM's, and quote. */
const isOwnReason = (reason: string) => reason === PAUSED || /^ec\d{5}$/.test(reason)

type Count = (id: string) => string

function queuedOf({ record, change, state, ledger, heldBy }: QueueItem, changes: Count, records: Count) {
  const reasons = ledger?.reasons ?? []
  const own = reasons.filter(isOwnReason)
  return {
    change: changes(change.id),
    record: records(`${record.resource} ${record.key}`),
    collection: record.resource,
    kind: change.kind,
    state,
    ledger: ledger?.state ?? '',
    status: ledger?.status ?? 0,
    reasons: own,
    otherReasons: reasons.length - own.length,
    savedAt: change.savedAt,
    serverErrors: ledger?.serverErrors ?? 0,
    offline: change.offline,
    wish: ledger?.wish ?? 'none',
    ...(heldBy !== undefined && { heldBy: changes(heldBy) }),
  }
}

const movedOf = (move: JournalMove, changes: Count) => ({
  at: move.at,
  change: changes(move.change),
  collection: move.resource,
  kind: move.kind,
  from: move.from ?? '',
  to: move.to,
  status: move.status,
  serverErrors: move.serverErrors,
  wish: move.wish,
})

const calledOf = ({ at, method, path, status, tookMs, sent, received }: JournalCall) => ({
  at,
  method,
  path,
  status,
  ms: Math.round(tookMs),
  sent,
  received,
})

const measuredOf = ({ at, name, value, route }: Figure) => ({ at, name, value, route })
