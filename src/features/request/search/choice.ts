/** The tab's stored conditions of 依頼検索. */
import type { Database } from '#data/database/database.ts'
import type { LiveQueries } from '#data/database/live-queries.ts'
import { visitListQuery, visitsOfDaysQuery } from '#data/visits/first-queries.ts'
import { readStoredJson } from '#lib/browser/stored-json.ts'
import { tokyoToday } from '#lib/time/tokyo-time.ts'
import { carriedInto, DEFAULT_CHOICE, filterOf, searchedDays, type FilterChoice } from './filter.ts'

/** Name of the stored conditions in the tab's memory. */
export const CHOICE = 'request-filter'

/** Parses the tab's stored choice. A missing or invalid choice becomes the default. */
export const readChoice = (text: string | null): FilterChoice => readStoredJson(text, DEFAULT_CHOICE)

/**
 * Starts the query of 依頼検索, so that the device already reads while the screen is rendered for the first time.
 * @param choice the tab's stored choice
 * @param now epoch ms
 */
export function readAheadOfList(live: LiveQueries<Database>, choice: string | null, now: number): void {
  const chosen = readChoice(choice)
  const days = searchedDays(filterOf(chosen, tokyoToday(now)), carriedInto(chosen, now))
  const { key, query } = days ? visitsOfDaysQuery(days) : visitListQuery
  live.store(key, query).get()
}
