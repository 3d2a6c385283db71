/** Splits a search into conditions and finds those that leave it without results. */
import { matcherOf } from '#schemas/resources/request-search.ts'
import { isBlank } from '#schemas/text.ts'
import type { VisitList } from '#data/visits/visits.ts'
import { filterOf, quickOf, type FilterChoice } from './filter.ts'

const CONDITIONS = [
  'requestCode',
  'locationName',
  'customerName',
  'orderFlags',
  'emergencyOnly',
  'days',
] as const
export type Condition = (typeof CONDITIONS)[number]

/** A search with one condition removed, and its number of results on the device. */
export interface Without {
  condition: Condition
  choice: FilterChoice
  /** Greater than 0. */
  found: number
}

const isSet = (choice: FilterChoice, condition: Condition): boolean => {
  switch (condition) {
    case 'orderFlags':
      return choice.orderFlags.length > 0
    case 'emergencyOnly':
      return choice.emergencyOnly
    case 'days':
      return true
    default:
      return !isBlank(choice[condition])
  }
}

/** Returns searches without a condition. For 今日 and other quick ranges, 今後7日間 is tried first. */
function drop(choice: FilterChoice, condition: Condition): FilterChoice[] {
  switch (condition) {
    case 'orderFlags':
      return [{ ...choice, orderFlags: [] }]
    case 'emergencyOnly':
      return [{ ...choice, emergencyOnly: false }]
    case 'days': {
      const all = { ...choice, quick: '' as const, from: '', to: '' }
      return quickOf(choice) === null ? [all] : [{ ...choice, quick: 'week' }, all]
    }
    default:
      return [{ ...choice, [condition]: '' }]
  }
}

/**
 * Returns the conditions that alone empty a search: removing one of them gives results.
 * @param rows rows that may be shown
 */
export function emptiedBy(
  { rows, fold }: Pick<VisitList, 'rows' | 'fold'>,
  choice: FilterChoice,
  today: string,
): Without[] {
  const foundBy = (wanted: FilterChoice) => rows.filter(matcherOf(filterOf(wanted, today), fold)).length
  return CONDITIONS.filter((condition) => isSet(choice, condition)).flatMap((condition) => {
    const [first] = drop(choice, condition)
      .map((wanted) => ({ condition, choice: wanted, found: foundBy(wanted) }))
      .filter(({ found }) => found > 0)
    return first ?? []
  })
}
