/** Finds the conditions that leave a search without results. */
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

export interface Without {
  condition: Condition
  choice: FilterChoice
  /** Number of results on the device; greater than 0. */
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

/** Returns the searches without the condition. A quick range is replaced by 今後7日間, and in a second search by all days. */
function withoutCondition(choice: FilterChoice, condition: Condition): FilterChoice[] {
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
 * Returns the searches that have results after removing one condition.
 * @param rows the requests on the device that are not hidden for their age
 */
export function emptiedBy(
  { rows, fold }: Pick<VisitList, 'rows' | 'fold'>,
  choice: FilterChoice,
  today: string,
): Without[] {
  const foundBy = (wanted: FilterChoice) => rows.filter(matcherOf(filterOf(wanted, today), fold)).length
  return CONDITIONS.filter((condition) => isSet(choice, condition)).flatMap((condition) => {
    const [first] = withoutCondition(choice, condition)
      .map((wanted) => ({ condition, choice: wanted, found: foundBy(wanted) }))
      .filter(({ found }) => found > 0)
    return first ?? []
  })
}
