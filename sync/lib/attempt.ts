/**
 * A row is read alone: one that throws is skipped and told like one that does not parse (RULES PL2). What is told names the
 * field and what it must be, and never what was there (EX7).
 */
import { type } from 'arktype'

type Attempt<T> = { kind: 'read'; value: T } | { kind: 'unreadable'; problem: string }

/** What is told of one row goes into the error log: no more than a line. */
const PROBLEM_MAX = 300
/** So many rows of one answer are told, and how many more there were. */
const PROBLEMS_TOLD = 5

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

/** The value, or null where there is none. */
export function readOrNull<T>(read: () => T): Exclude<T, type.errors> | null {
  const tried = attempt(read)
  return tried.kind === 'read' ? tried.value : null
}

/** @param of where they were read: begins each line */
export function reportProblems(
  report: (problem: string) => void,
  of: string,
  problems: readonly string[],
): void {
  for (const problem of problems.slice(0, PROBLEMS_TOLD)) report(`${of}: ${problem}`)
  const more = problems.length - PROBLEMS_TOLD
  if (more > 0) report(`${of}: ${more} more`)
}
