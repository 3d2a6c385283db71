/**
 * The entries of a record's `history`: which values were replaced, and by whom (sync RULES MG5). There are two kinds,
 * and the last character of an entry's stamp shows which it is:
 *
 *     what happened                                       `value`                    `stamp`
 *     a local edit replaced somebody else's value         the replaced value         stamp~
 *     the CRM returned another value than before,         [before, after] as JSON    stamp! (of the read)
 *     and no local change explains it
 *
 * ArkType is not imported, because the first screen uses this file.
 */
import type { ReplacedValue } from './change.ts'
import { regularText } from '#schemas/text.ts'

export type FieldValue = ReplacedValue['value']
const OTHERS = '!'

interface OthersEdit {
  field: string
  before: FieldValue
  after: FieldValue
  /** Stamp of the read that returned the new value. */
  stamp: string
}

export const othersEntry = ({ field, before, after, stamp }: OthersEdit): ReplacedValue => ({
  field,
  value: [JSON.stringify(before), JSON.stringify(after)],
  stamp: `${stamp}${OTHERS}`,
})

/** The changes by other people, newest first. Entries that do not parse are skipped. */
export const othersEdits = (history: readonly ReplacedValue[] = []): OthersEdit[] =>
  history.flatMap((entry) => (isOthers(entry) ? readEntry(entry) : []))

/** Other people's values that edits on this device have replaced. */
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

/** True if two values show the same content: null equals '', a text its saved form, and codes may be in any order. */
export const isSameContent = (a: unknown, b: unknown): boolean => plain(a) === plain(b)

function plain(value: unknown): string {
  if (value === null || value === undefined) return '""'
  if (Array.isArray(value)) return JSON.stringify(value.map(String).toSorted())
  return JSON.stringify(typeof value === 'string' ? regularText(value).trim() : value)
}

/** Other people's newest edit of each field, if the record (`current`) still has the value of that edit. */
export function currentEdits(history: readonly ReplacedValue[] | undefined, current: object): OthersEdit[] {
  if (!history) return []
  const seen = new Set<string>()
  return othersEdits(history).filter(({ field, after }) => {
    const isNewest = !seen.has(field)
    seen.add(field)
    return isNewest && isSameContent(Reflect.get(current, field), after)
  })
}

/** Maximum number of entries per field. One edit by another person can take up to three. */
export const HISTORY_MAX = 6

type Stamped = { value: FieldValue; stamp: string }

/** Sorts by stamp, newest first. Equal stamps are sorted by value, so that all devices have the same order. */
export const newestFirst = (a: Stamped, b: Stamped): number =>
  order(b.stamp, a.stamp) || order(JSON.stringify(b.value), JSON.stringify(a.value))

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Adds replaced values to a history: newest first, at most `HISTORY_MAX` per field. If two reads return the same
 * change by others, only the first read's entry stays.
 */
export function withReplaced(history: readonly ReplacedValue[], replaced: readonly ReplacedValue[]) {
  const all = [...replaced, ...history].toSorted(newestFirst)
  const distinct = all.filter(
    (entry, i) =>
      all.findIndex((other) => other.field === entry.field && newestFirst(other, entry) === 0) === i,
  )
  const firstReads = distinct.filter((entry, i) => !isSeenBefore(entry, distinct.slice(i + 1)))
  return firstReads.filter(
    ({ field }, i) => firstReads.slice(0, i).filter((other) => other.field === field).length < HISTORY_MAX,
  )
}

function isSeenBefore(entry: ReplacedValue, older: readonly ReplacedValue[]): boolean {
  const last = older.find(({ field }) => field === entry.field)
  if (!last || !isOthers(entry) || !isOthers(last)) return false
  return JSON.stringify(last.value) === JSON.stringify(entry.value)
}
