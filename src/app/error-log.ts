/**
 * The local error log (spec 8): newest last, bounded in number and length, on this device only until the user sends it.
 * Having no signal is no error here, nor is a refusal that the user reads.
 */
import { createStore, get, update } from 'idb-keyval'
import type { Session } from '#schemas/session.ts'
import { hasShapeOf } from '#lib/kept-json.ts'
import { createValueStore } from './value-store.ts'

const MOST = 200
/** Of each text; a page that came as an answer says enough with its beginning. */
const LONGEST = 4_000

export interface ErrorLogEntry {
  id: string
  /** ISO 8601 */
  at: string
  message: string
  stack: string
  /** Status, address and body of the answer that was none we expect. */
  response: string
  /** Path of the screen. */
  screen: string
  /** Id, user flag and name of who was signed in. */
  user: string
  browser: string
  os: string
}

interface Parts {
  now: () => number
  /** Who is signed in now. */
  session: () => Session | null
  agent: string
  screen: () => string
}

export type ErrorLog = ReturnType<typeof createErrorLog>

export function createErrorLog({ now, session, agent, screen }: Parts) {
  const database = createStore('genba-errors', 'values')
  const change = async (next: (log: ErrorLogEntry[]) => ErrorLogEntry[]) => {
    await update<unknown>('log', (log) => next(entriesOf(log)), database)
    count.set(entriesOf(await get('log', database)).length)
  }
  const count = createValueStore<number | null>(null)
  const read = async () => entriesOf(await get('log', database))
  void read().then(
    ({ length }) => count.set(length),
    () => count.set(0),
  )
  return {
    /** How many entries there are; null until they were counted. */
    count,
    read,
    /** @param response of a call, where it is what went wrong */
    async add(error: unknown, response = ''): Promise<void> {
      const user = session()?.userInfo
      const [at, where] = [new Date(now()).toISOString(), screen()]
      // only an error needs it; where it cannot be had, the browser's own words stay
      const names = await import('#lib/user-agent.ts').catch(() => null)
      const entry: ErrorLogEntry = {
        id: crypto.randomUUID(),
        at,
        message: cut(messageOf(error)),
        stack: cut(error instanceof Error ? (error.stack ?? '') : ''),
        response: cut(response),
        screen: where,
        user: user ? `${user.id} ${user.userFlag} ${user.loginUserName}` : '',
        browser: names?.browserOf(agent) ?? agent,
        os: names?.systemOf(agent) ?? '',
      }
      // a log that cannot be written must not be one more error
      await change((log) => [...log, entry].slice(-MOST)).catch(() => undefined)
    },
    /** Takes out what was sent; what was added meanwhile stays. */
    remove(sent: readonly ErrorLogEntry[]): Promise<void> {
      const ids = new Set(sent.map(({ id }) => id))
      return change((log) => log.filter(({ id }) => !ids.has(id)))
    },
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error)

const cut = (text: string) => text.slice(0, LONGEST)

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
const entriesOf = (stored: unknown): ErrorLogEntry[] =>
  Array.isArray(stored) ? stored.filter((entry): entry is ErrorLogEntry => hasShapeOf(entry, EXAMPLE)) : []
