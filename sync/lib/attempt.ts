/** Parses rows of the CRM one by one. A row that does not parse is skipped, and reported (RULES PL2) without values (EX7). */
import { type } from 'arktype'
import type { Sliced } from './slices.ts'

type Attempt<T> = { kind: 'read'; value: T } | { kind: 'unreadable'; problem: string }

const PROBLEM_MAX = 300
const PROBLEMS_REPORTED = 5

/** Runs a parser. @returns its value, or the description of the problem */
export function attempt<T>(read: () => T): Attempt<Exclude<T, type.errors>> {
  try {
    const value = read()
    if (!(value instanceof type.errors)) return { kind: 'read', value: value as Exclude<T, type.errors> }
    const expected = value.map(({ propString, expected: what }) => `${propString || 'it'} must be ${what}`)
    return { kind: 'unreadable', problem: expected.join('\n').slice(0, PROBLEM_MAX) }
  } catch (error) {
    return { kind: 'unreadable', problem: `${error instanceof Error ? error.name : 'something'} was thrown` }
  }
}

/** Runs a parser. @returns its value; null if the input cannot be parsed */
export function readOrNull<T>(read: () => T): Exclude<T, type.errors> | null {
  const result = attempt(read)
  return result.kind === 'read' ? result.value : null
}

/** Reports the rows of an answer that did not parse. @param source the path or list, which begins each line */
export function reportProblems(
  report: (problem: string) => void,
  source: string,
  problems: readonly string[],
): void {
  for (const problem of problems.slice(0, PROBLEMS_REPORTED)) report(`${source}: ${problem}`)
  const more = problems.length - PROBLEMS_REPORTED
  if (more > 0) report(`${source}: ${more} more`)
}

export interface ParsedRows<R> {
  rows: R[]
  /** Keys of rows that did not parse. The CRM has these records, so they do not count as deleted. */
  skipped: string[]
  /** True if a row had no readable key. No record may then count as deleted, because it may be that row. */
  unreadable: boolean
  /** One text for each skipped row, for the error log. */
  problems: string[]
}

/** Parses a list row by row. @param keyOf returns the key of a row that cannot be parsed */
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
