/**
 * What was replaced in a record, and by whom (sync RULES MG5), as it lies in the record's `history`. There are two kinds:
 *
 *     here     an edit made here replaced somebody else's value      value            stamp~
 *     others   the CRM says something else than it did before,       [before, after]  stamp!
 *              and nothing that was saved here says so               as JSON          (of the read that saw it)
 *
 * The kind is told by the end of the stamp, which stands after the clock's part and so leaves the order as it is. Without
 * ArkType: the first screen marks a row by it.
 */
import type { ReplacedValue } from './change.ts'
import { regularText } from '#schemas/text.ts'

export type FieldValue = ReplacedValue['value']

const OTHERS = '!'

interface OthersEdit {
  field: string
  before: FieldValue
  after: FieldValue
  /** Of the read that saw it. */
  stamp: string
}

/** As it is stored. */
export const othersEntry = ({ field, before, after, stamp }: OthersEdit): ReplacedValue => ({
  field,
  value: [JSON.stringify(before), JSON.stringify(after)],
  stamp: `${stamp}${OTHERS}`,
})

/** What others changed, newest first; an entry that cannot be read is left out. */
export const othersEdits = (history: readonly ReplacedValue[] = []): OthersEdit[] =>
  history.flatMap((entry) => (isOthers(entry) ? readEntry(entry) : []))

/** Values of others that edits made here have replaced. */
export const replacedHere = (history: readonly ReplacedValue[] = []): ReplacedValue[] =>
  history.filter((entry) => !isOthers(entry))

const isOthers = ({ stamp }: ReplacedValue) => stamp.endsWith(OTHERS)

function readEntry({ field, value, stamp }: ReplacedValue): OthersEdit[] {
  if (!Array.isArray(value) || value.length !== 2) return []
  try {
    const [before, after] = value.map((text): FieldValue => JSON.parse(text))
    return [{ field, before: before ?? null, after: after ?? null, stamp: stamp.slice(0, -OTHERS.length) }]
  } catch {
    return []
  }
}

/**
 * True if a person sees the same content: null says nothing, a text is compared as a save would store it, the codes of one
 * field in any order.
 */
export const isSameContent = (a: unknown, b: unknown): boolean => plain(a) === plain(b)

function plain(value: unknown): string {
  if (value === null || value === undefined) return '""'
  if (Array.isArray(value)) return JSON.stringify(value.map(String).toSorted())
  return JSON.stringify(typeof value === 'string' ? regularText(value).trim() : value)
}

/** What others changed and nothing has changed since: this is what the record says now. */
export function currentEdits(history: readonly ReplacedValue[] | undefined, now: object): OthersEdit[] {
  if (!history) return []
  const seen = new Set<string>()
  return othersEdits(history).filter(({ field, after }) => {
    const isNewest = !seen.has(field)
    seen.add(field)
    return isNewest && isSameContent(Reflect.get(now, field), after)
  })
}

/** So many replaced values of one field are remembered: an edit of others whose answer was lost takes up to three of them. */
export const HISTORY_MAX = 6

interface Stamped {
  value: FieldValue
  stamp: string
}

/** By stamp; two values with one stamp have an order all the same, so that every device decides alike. */
export const newestFirst = (a: Stamped, b: Stamped): number =>
  order(b.stamp, a.stamp) || order(JSON.stringify(b.value), JSON.stringify(a.value))

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * A record's history with what was just replaced: newest first, each once, at most `HISTORY_MAX` of a field. An edit of others
 * that two reads saw, a list and the read before a PUT, is the one that was seen first.
 */
export function withReplaced(
  history: readonly ReplacedValue[],
  replaced: readonly ReplacedValue[],
): ReplacedValue[] {
  const all = [...replaced, ...history].toSorted(newestFirst)
  const once = all.filter(
    (entry, i) =>
      all.findIndex((other) => other.field === entry.field && newestFirst(other, entry) === 0) === i,
  )
  const told = once.filter((entry, i) => !isSeenBefore(entry, once.slice(i + 1)))
  return told.filter(
    ({ field }, i) => told.slice(0, i).filter((other) => other.field === field).length < HISTORY_MAX,
  )
}

function isSeenBefore(entry: ReplacedValue, older: readonly ReplacedValue[]): boolean {
  const last = older.find(({ field }) => field === entry.field)
  if (!last || !isOthers(entry) || !isOthers(last)) return false
  return JSON.stringify(last.value) === JSON.stringify(entry.value)
}
