/** The error log (spec 8), without missing signals and refusals. Only the user sends its entries. */
import type { Session } from '#schemas/device/session.ts'
import { createValueStore } from '#lib/value-store.ts'
import { openDiagnostics } from './store.ts'

/** Maximum characters of each text. Longer texts are cut at the end. */
const TEXT_MAX = 4_000

export type ErrorLog = ReturnType<typeof createErrorLog>

export function createErrorLog(parts: {
  now: () => number
  session: () => Session | null
  agent?: string
  screen: () => string
  scope: string
}) {
  const { now, session, agent = navigator.userAgent, screen, scope } = parts
  const store = openDiagnostics({ scope, now, user: () => session()?.userInfo.id ?? '' })
  const count = createValueStore<number | null>(null)
  const read = () => store.read('error')
  const recount = async () => count.set((await read()).length)
  // A failed write to the log is ignored, because reporting it would cause another write.
  const recountAfter = (change: Promise<void>) => change.catch(() => undefined).then(recount)
  void recount()
  return {
    store,
    count,
    recount,
    read,
    async add(error: unknown, response = ''): Promise<void> {
      const user = session()?.userInfo
      const entry = store.note('error', {
        id: crypto.randomUUID(),
        message: messageOf(error),
        stack: limited(error instanceof Error ? (error.stack ?? '') : ''),
        response: limited(response),
        screen: screen(),
        user: user ? `${user.id} ${user.userFlag} ${user.loginUserName}` : '',
        agent,
      })
      await recountAfter(store.write([entry]))
    },
    remove: (sent: readonly { id: string }[]) =>
      recountAfter(store.removeErrors(new Set(sent.map(({ id }) => id)))),
    /** Deletes old entries of all diagnostics, and all calls and send states of other users (sync RULES EX6). */
    expire: () => recountAfter(store.expire()),
    clear: () => recountAfter(store.clear()),
  }
}

const limited = (text: string) => withoutValues(text).slice(0, TEXT_MAX)

/** Returns the text of an error as the log has it. */
export const messageOf = (error: unknown): string =>
  limited(error instanceof Error ? `${error.name}: ${error.message}` : String(error))

const ACTUAL_VALUE = / \(was [^\n]*/g
/** Errors of JSON.parse and Temporal contain their input, partly without quotation marks. */
const PARSER = /^((?:\w+: )?(?:SyntaxError: [^"'“‘:\n]*|RangeError: [^"'“‘:\n]*))[^\n]*/gm
const QUOTED = /["“「`][^\n]*["”」`]|["“「`][^\n]*$/gm
const QUERY = /([?&][^=&?#\s]{1,60}=)[^&#\s)]*/g

/** The text, line by line, with `…` for each value, because parsers quote invalid values (sync RULES EX7). */
export const withoutValues = (text: string): string =>
  text
    .replace(ACTUAL_VALUE, ' (was …)')
    .replace(PARSER, (line, start: string) => (line === start ? line : `${start}…`))
    .replace(QUOTED, '…')
    .replace(QUERY, '$1…')
