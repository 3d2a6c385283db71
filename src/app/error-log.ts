/**
 * The local error log (spec 8): one for each user, newest last, bounded in number and length, on this device only until the
 * user sends it. It holds no values (`without-values.ts`, sync RULES EX7). Having no signal is no error here, nor is a
 * refusal that the user reads.
 */
import { clear, createStore, del, get, keys, update } from 'idb-keyval'
import type { Session } from '#schemas/session.ts'
import { scoped } from '#lib/crm-scope.ts'
import { hasShapeOf } from '#lib/kept-json.ts'
import { withoutValues } from '#lib/without-values.ts'
import { createValueStore } from './value-store.ts'

const MOST = 200
/** Of each text; a page that came as an answer says enough with its beginning. */
const LONGEST = 4_000
/** Another user's, or nobody's: that user's logins come seldom, and the name in it is a name. */
const OTHERS_MS = 24 * 3_600_000

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

interface Parts {
  now: () => number
  /** Who is signed in now. */
  session: () => Session | null
  agent: string
  screen: () => string
  /** Of the CRM whose people's it is. */
  scope: string
}

export type ErrorLog = ReturnType<typeof createErrorLog>

export function createErrorLog({ now, session, agent, screen, scope }: Parts) {
  const database = createStore(scoped('genba-errors', scope), 'values')
  const ownKey = () => logOf(session()?.userInfo.id)
  const change = async (key: string, next: (log: ErrorLogEntry[]) => ErrorLogEntry[]) => {
    await update<unknown>(key, (log) => next(entriesOf(log)), database)
    await recount()
  }
  const count = createValueStore<number | null>(null)
  /** With what happened while nobody was signed in: whoever comes first may send it. */
  const read = async () => {
    const logs = await Promise.all([...new Set([NOBODYS, ownKey()])].map((key) => get(key, database)))
    return logs.flatMap(entriesOf).toSorted((a, b) => (a.at < b.at ? -1 : 1))
  }
  const recount = () =>
    read().then(
      ({ length }) => count.set(length),
      () => count.set(0),
    )
  void recount()
  return {
    /** How many entries there are; null until they were counted. */
    count,
    read,
    /** Somebody else is signed in. */
    follow: recount,
    /** @param response of a call, where it is what went wrong */
    async add(error: unknown, response = ''): Promise<void> {
      const user = session()?.userInfo
      const [key, at, where] = [ownKey(), new Date(now()).toISOString(), screen()]
      // only an error needs it; where it cannot be had, the browser's own words stay
      const names = await import('#lib/user-agent.ts').catch(() => null)
      const entry: ErrorLogEntry = {
        id: crypto.randomUUID(),
        at,
        message: cut(withoutValues(messageOf(error))),
        stack: cut(withoutValues(error instanceof Error ? (error.stack ?? '') : '')),
        response: cut(withoutValues(response)),
        screen: where,
        user: user ? `${user.id} ${user.userFlag} ${user.loginUserName}` : '',
        browser: names?.browserOf(agent) ?? agent,
        os: names?.systemOf(agent) ?? '',
      }
      // a log that cannot be written must not be one more error
      await change(key, (log) => [...log, entry].slice(-MOST)).catch(() => undefined)
    },
    /** Takes out what was sent; what was added meanwhile stays. */
    async remove(sent: readonly ErrorLogEntry[]): Promise<void> {
      const ids = new Set(sent.map(({ id }) => id))
      for (const key of new Set([NOBODYS, ownKey()]))
        await change(key, (log) => log.filter(({ id }) => !ids.has(id)))
    },
    /** Logs of others leave the device a day later; one of an earlier version says of nobody whose it is. */
    async expire(): Promise<void> {
      const own = ownKey()
      const before = new Date(now() - OTHERS_MS).toISOString()
      for (const key of await keys<string>(database)) {
        const log = key === own ? [] : entriesOf(await get(key, database))
        const isOver = key !== own && !log.some(({ at }) => at >= before)
        if (isOver || key === SHARED) await del(key, database)
      }
      await recount()
    },
    /** Everybody's: another CRM is going to be used, and its people get none of it. */
    async clear(): Promise<void> {
      await clear(database)
      await recount()
    },
  }
}

const NOBODYS = 'log:'
const logOf = (userId = '') => `${NOBODYS}${userId}`
/** All users' in one, with the bodies of answers: as it was before. */
const SHARED = 'log'

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
