/**
 * The local error log (spec 8): the errors of the signed-in user and of the time when nobody was, on this device only until
 * the user sends them. A missing signal is no error here, nor is a refusal that the user reads.
 */
import type { Session } from '#schemas/device/session.ts'
import { withoutValues } from '#lib/without-values.ts'
import { createValueStore } from '#lib/value-store.ts'
import { openDiagnostics } from './store.ts'

/** Maximum characters of each text. The beginning of an unexpected page is enough to recognise it. */
const LONGEST = 4_000

interface ErrorLogParts {
  now: () => number
  session: () => Session | null
  agent: string
  screen: () => string
  scope: string
}

export type ErrorLog = ReturnType<typeof createErrorLog>

export function createErrorLog({ now, session, agent, screen, scope }: ErrorLogParts) {
  const store = openDiagnostics({ scope, now, user: () => session()?.userInfo.id ?? '' })
  const count = createValueStore<number | null>(null)
  const read = () => store.read('error')
  const recount = async () => count.set((await read()).length)
  // A failed write to the log must not cause another error.
  const after = (change: Promise<void>) => change.catch(() => undefined).then(recount)
  void recount()
  return {
    store,
    /** How many entries there are; null until they are counted. */
    count,
    recount,
    read,
    /** @param response of the call that failed, else '' */
    async add(error: unknown, response = ''): Promise<void> {
      const user = session()?.userInfo
      const entry = store.note('error', {
        id: crypto.randomUUID(),
        message: limited(error instanceof Error ? `${error.name}: ${error.message}` : String(error)),
        stack: limited(error instanceof Error ? (error.stack ?? '') : ''),
        response: limited(response),
        screen: screen(),
        user: user ? `${user.id} ${user.userFlag} ${user.loginUserName}` : '',
        agent,
      })
      await after(store.write([entry]))
    },
    remove: (sent: readonly { id: string }[]) => after(store.removeErrors(new Set(sent.map(({ id }) => id)))),
    /** Deletes what is too old, and the activity of users who are not signed in (sync RULES EX6). */
    expire: () => after(store.expire()),
    clear: () => after(store.clear()),
  }
}

const limited = (text: string) => withoutValues(text).slice(0, LONGEST)
