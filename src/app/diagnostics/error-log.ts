/**
 * The local error log (spec 8): one for each user, newest last, bounded in number and length (`error-log-entry.ts`), on this
 * device only until the user sends it. Having no signal is no error here, nor is a refusal that the user reads.
 */
import { clear, createStore, del, get, keys, update } from 'idb-keyval'
import type { Session } from '#schemas/session.ts'
import { scoped } from '#lib/browser/crm-scope.ts'
import { entriesOf, errorLogEntry, isOver, merged, withEntry, type ErrorLogEntry } from './error-log-entry.ts'
import { createValueStore } from '#app/value-store.ts'

/** Another user's, or nobody's: that user's logins come seldom, and the name in it is a name. */
const OTHERS_MS = 24 * 3_600_000

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
  const logAt = async (key: string) => entriesOf(await get(key, database))
  /** With what happened while nobody was signed in: whoever comes first may send it. */
  const read = async () => merged(await Promise.all([...new Set([NOBODYS, ownKey()])].map(logAt)))
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
      const key = ownKey()
      const then = { session: session(), at: new Date(now()).toISOString(), screen: screen() }
      const entry = errorLogEntry(error, response, {
        ...then,
        ...(await deviceOf(agent)),
        id: crypto.randomUUID(),
      })
      // a log that cannot be written must not be one more error
      await change(key, (log) => withEntry(log, entry)).catch(() => undefined)
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
      for (const key of await keys<string>(database))
        if (key === SHARED || (key !== own && isOver(await logAt(key), before))) await del(key, database)
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

async function deviceOf(agent: string): Promise<Pick<ErrorLogEntry, 'browser' | 'os'>> {
  // only an error needs it; where it cannot be had, the browser's own words stay
  const names = await import('#lib/browser/user-agent.ts').catch(() => null)
  return { browser: names?.browserOf(agent) ?? agent, os: names?.systemOf(agent) ?? '' }
}
