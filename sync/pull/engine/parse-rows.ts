/** Parses the rows of a list one by one, so that a bad row does not cost the others (RULES PL2). */
import type { type } from 'arktype'
import type { Sliced } from '#sync/lib/slices.ts'
import { attempt, readOrNull } from '#sync/lib/attempt.ts'

export interface ParsedRows<R> {
  rows: R[]
  /** Keys of rows that could not be read, although the CRM has them: they are not missing. */
  skipped: string[]
  /** True if a skipped row's key is unknown: no record may then count as missing. */
  unreadable: boolean
  /** Why rows were skipped, for the error log. */
  problems: string[]
}

/**
 * Parses rows.
 * @param keyOf the key of a row that cannot be parsed
 */
export function* parseRowsInSlices<R>(
  raws: readonly unknown[],
  parse: (raw: unknown) => R | type.errors,
  keyOf: (raw: unknown) => string | type.errors,
): Sliced<ParsedRows<R>> {
  const parsed: ParsedRows<R> = { rows: [], skipped: [], unreadable: false, problems: [] }
  for (const raw of raws) {
    yield
    const row = attempt(() => parse(raw))
    if (row.kind === 'read') {
      parsed.rows.push(row.value as R)
      continue
    }
    parsed.problems.push(row.problem)
    const key = readOrNull(() => keyOf(raw))
    if (key === null) parsed.unreadable = true
    else parsed.skipped.push(key)
  }
  return parsed
}
