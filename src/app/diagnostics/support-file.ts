/** Builds a support file with numbered records (`r1`) and changes (`c1`), and shortens its lists. Pure. */
import type { Progress } from '#schemas/change.ts'
import { PAUSED, type QueueItem } from '#schemas/changes/change-queue.ts'
import {
  SUPPORT_KIND,
  SUPPORT_LIST_MAX,
  SUPPORT_MAX,
  SUPPORT_VERSION,
  type SupportFile,
} from '#schemas/device/support-file.ts'
import { summariesOf } from '#lib/field-figures.ts'
import { withoutIds } from './error-text.ts'
import type { CallEntry, Entries, MoveEntry } from './store.ts'

const DAY_MS = 24 * 3_600_000

type UnchangedParts = Pick<SupportFile, 'app' | 'session' | 'storage' | 'wait' | 'waits'>

export interface SupportFacts extends UnchangedParts {
  now: number
  queue: readonly QueueItem[]
  calls: readonly CallEntry[]
  moves: readonly MoveEntry[]
  figures: readonly Entries['figure'][]
  errors: readonly Entries['error'][]
  known: readonly string[]
  contents?: SupportFile['contents']
}

/** The schema drops the fields that it does not declare, so entries are passed on with all their fields. */
export function supportFileOf(facts: SupportFacts): SupportFile {
  const { now, queue, calls, moves, figures, errors, known, contents, ...unchanged } = facts
  const change = numbering('c')
  const record = numbering('r')
  const since = new Date(now - DAY_MS).toISOString()
  return {
    kind: SUPPORT_KIND,
    version: SUPPORT_VERSION,
    made: new Date(now).toISOString(),
    ...unchanged,
    queue: newest(queue.map((item) => queuedOf(item, change, record))),
    moves: newest(moves.map((move) => movedOf(move, change))),
    calls: newest(calls.map(({ tookMs: ms, ...call }) => ({ ...call, ms }))),
    figures: summariesOf(figures, now),
    measured: newest(figures.filter(({ at }) => at >= since)),
    errors: newest(
      errors.map(({ at, message, stack, response, screen }) => ({
        at,
        message: withoutIds(message, known),
        stack: withoutIds(stack, known),
        response: withoutIds(response, known),
        screen: withoutIds(screen, known),
      })),
    ),
    leftOut: {},
    ...(contents && { contents }),
  }
}

const newest = <T>(list: T[]): T[] => list.slice(-SUPPORT_LIST_MAX)

/** Returns a function that replaces ids by `letter` and a number, the same for equal ids: `r1`, `r2`, … */
function numbering(letter: string) {
  const seen = new Map<string, string>()
  return (id: string): string => {
    const known = seen.get(id) ?? `${letter}${seen.size + 1}`
    seen.set(id, known)
    return known
  }
}

/** True if this app has given the reason. Any other reason may quote text of the CRM. */
const isOwnReason = (reason: string) => reason === PAUSED || /^ec\d{5}$/.test(reason)

type NumberOf = ReturnType<typeof numbering>

function queuedOf(
  { record, change, state, progress, blockedBy }: QueueItem,
  changes: NumberOf,
  records: NumberOf,
) {
  const sent: Partial<Progress> = progress ?? {}
  const { state: ledger = '', status = 0, serverErrors = 0, wish = 'none', reasons = [] } = sent
  const { kind, savedAt, offline } = change
  const facts = { state, ledger, status, serverErrors, wish, kind, savedAt, offline }
  const ownReasons = reasons.filter(isOwnReason)
  return {
    ...facts,
    change: changes(change.id),
    record: records(`${record.resource} ${record.key}`),
    collection: record.resource,
    reasons: ownReasons,
    otherReasons: reasons.length - ownReasons.length,
    ...(blockedBy !== undefined && { heldBy: changes(blockedBy) }),
  }
}

const movedOf = ({ resource: collection, change, from, ...move }: MoveEntry, changes: NumberOf) => ({
  ...move,
  change: changes(change),
  collection,
  from: from ?? '',
})

/** Lists that may be shortened. If two lists have the same size, the first one is shortened. */
const LISTS = ['measured', 'calls', 'moves', 'errors', 'queue'] as const
const CONTENTS = ['errors', 'records', 'ledger', 'drafts'] as const

/** @returns the text of the file, at most `maxBytes` long */
export function textOf(file: SupportFile, maxBytes = SUPPORT_MAX): string {
  const text = `${JSON.stringify(file, null, 1)}\n`
  const shorter = new TextEncoder().encode(text).length > maxBytes ? halved(file) : null
  return shorter === null ? text : textOf(shorter, maxBytes)
}

interface Place {
  name: string
  list: readonly unknown[]
  put(list: unknown[]): SupportFile
}

function halved(file: SupportFile): SupportFile | null {
  const { contents } = file
  const places = [
    ...LISTS.map((name): Place => ({ name, list: file[name], put: (list) => ({ ...file, [name]: list }) })),
    ...(contents
      ? CONTENTS.map((name): Place => ({
          name: `contents.${name}`,
          list: contents[name],
          put: (list) => ({ ...file, contents: { ...contents, [name]: list } }),
        }))
      : []),
  ]
  const sized = places
    .filter(({ list }) => list.length > 0)
    .map((place) => ({ ...place, size: JSON.stringify(place.list).length }))
  const [longest] = sized.toSorted((a, b) => b.size - a.size)
  if (!longest) return null
  const { name, list, put } = longest
  const cut = Math.ceil(list.length / 2)
  return { ...put(list.slice(cut)), leftOut: { ...file.leftOut, [name]: (file.leftOut[name] ?? 0) + cut } }
}
