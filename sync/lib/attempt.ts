/**
 * Reads one row: a row whose reader throws is skipped and reported like one that does not parse (RULES PL2).
 * The report names the field and what it should be, never its value (EX7).
 */
import { type } from 'arktype'

type Attempt<T> = { kind: 'read'; value: T } | { kind: 'unreadable'; problem: string }

/** Maximum length of one row's problem in the error log. */
const PROBLEM_MAX = 300
/** Number of rows per response whose problems are reported; the rest is counted. */
const PROBLEMS_TOLD = 5

/**
 * Runs a parser.
 * @returns its value, or the problem
 */
export function attempt<T>(read: () => T): Attempt<Exclude<T, type.errors>> {
  try {
    const value = read()
    return value instanceof type.errors
      ? { kind: 'unreadable', problem: expectedOf(value).slice(0, PROBLEM_MAX) }
      : { kind: 'read', value: value as Exclude<T, type.errors> }
  } catch (error) {
    return { kind: 'unreadable', problem: `${error instanceof Error ? error.name : 'something'} was thrown` }
  }
}

const expectedOf = (errors: type.errors): string =>
  errors.map(({ propString, expected }) => `${propString || 'it'} must be ${expected}`).join('\n')

/** The parsed value, or null if it cannot be read. */
export function readOrNull<T>(read: () => T): Exclude<T, type.errors> | null {
  const tried = attempt(read)
  return tried.kind === 'read' ? tried.value : null
}

/**
 * Reports the problems of a response.
 * @param of what was read; begins each line
 */
export function reportProblems(
  report: (problem: string) => void,
  of: string,
  problems: readonly string[],
): void {
  for (const problem of problems.slice(0, PROBLEMS_TOLD)) report(`${of}: ${problem}`)
  const more = problems.length - PROBLEMS_TOLD
  if (more > 0) report(`${of}: ${more} more`)
}
