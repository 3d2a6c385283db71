/** An entry of the error log, and a user's log as it is read back. It holds no values (`without-values.ts`, sync RULES EX7). */
import type { Session } from '#schemas/session.ts'
import { hasShapeOf } from '#lib/browser/stored-json.ts'
import { withoutValues } from '#lib/without-values.ts'

const MOST = 200
/** Of each text; a page that came as an answer says enough with its beginning. */
const LONGEST = 4_000

export interface ErrorLogEntry {
  id: string
  /** ISO 8601 */
  at: string
  message: string
  stack: string
  /** Status, address and length of the answer that was none we expect. */
  response: string
  /** Path of the screen. */
  screen: string
  /** Id, user flag and name of who was signed in. */
  user: string
  browser: string
  os: string
}

/** Where and when something went wrong. */
type Circumstances = Pick<ErrorLogEntry, 'id' | 'at' | 'screen' | 'browser' | 'os'> & {
  session: Session | null
}

/** @param response of a call, where it is what went wrong; else '' */
export function errorLogEntry(
  error: unknown,
  response: string,
  { id, at, screen, session, browser, os }: Circumstances,
): ErrorLogEntry {
  const user = session?.userInfo
  // in the order in which it is sent as a text
  return {
    id,
    at,
    message: kept(messageOf(error)),
    stack: kept(error instanceof Error ? (error.stack ?? '') : ''),
    response: kept(response),
    screen,
    user: user ? `${user.id} ${user.userFlag} ${user.loginUserName}` : '',
    browser,
    os,
  }
}

const kept = (text: string) => withoutValues(text).slice(0, LONGEST)

const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error)

/** The oldest go. */
export const withEntry = (log: readonly ErrorLogEntry[], entry: ErrorLogEntry): ErrorLogEntry[] =>
  [...log, entry].slice(-MOST)

/** Several logs as one, oldest first. */
export const merged = (logs: readonly ErrorLogEntry[][]): ErrorLogEntry[] =>
  logs.flat().toSorted((a, b) => (a.at < b.at ? -1 : 1))

/** @param before ISO 8601 @returns whether all of it is older */
export const isOver = (log: readonly ErrorLogEntry[], before: string): boolean =>
  !log.some(({ at }) => at >= before)

const EXAMPLE: ErrorLogEntry = {
  id: '',
  at: '',
  message: '',
  stack: '',
  response: '',
  screen: '',
  user: '',
  browser: '',
  os: '',
}

/** What another version may have left is dropped. */
export const entriesOf = (stored: unknown): ErrorLogEntry[] =>
  Array.isArray(stored) ? stored.filter((entry): entry is ErrorLogEntry => hasShapeOf(entry, EXAMPLE)) : []
