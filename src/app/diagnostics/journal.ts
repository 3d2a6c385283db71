/**
 * What the app did in the last day, for a support file: calls without their contents, and the moves of the ledger. A list
 * for each user and hour, so that a batch writes little and a whole hour goes at once; written as `kept-ring.ts` says. It
 * goes at a logout, and a day later (sync RULES EX6, decisions/telemetry).
 */
import type { Transition } from '#sync/queue/transitions.ts'
import type { EndedCall } from '#sync/transport/http.ts'
import { scoped } from '#lib/browser/crm-scope.ts'
import { hasShapeOf } from '#lib/browser/stored-json.ts'
import { createKeptRing } from './kept-ring.ts'

const HOUR_MS = 3_600_000
const KEPT_HOURS = 24
/** Of one kind in one hour. */
const MOST = 500

export interface JournalCall extends Omit<EndedCall, 'url'> {
  /** When it ended, ISO 8601. */
  at: string
  /** `call-pattern.ts` */
  path: string
}

export interface JournalMove extends Transition {
  at: string
}

type Entry = JournalCall | JournalMove

export interface Journal {
  called(call: Omit<JournalCall, 'at'>): void
  moved(transition: Transition): void
  /** Of the last day, of who is signed in and of the time when nobody was; oldest first. */
  read(): Promise<{ calls: JournalCall[]; moves: JournalMove[] }>
  /** Takes away what is over a day old, and what is of others than who is signed in. */
  expire(): Promise<void>
  clear(): Promise<void>
}

export interface JournalParts {
  /** Epoch ms. */
  now: () => number
  /** Id of who is signed in; '': nobody. */
  user: () => string
  /** Of the CRM. */
  scope: string
  later?: (write: () => void) => void
}

export function openJournal({ now, user, scope, later }: JournalParts): Journal {
  const ring = createKeptRing<Entry>({
    name: scoped('genba-journal', scope),
    most: MOST,
    isEntry: (value): value is Entry => isCall(value) || isMove(value),
    ...(later && { later }),
  })
  const add = (kind: Kind, entry: object) => {
    const at = new Date(now()).toISOString()
    ring.add(nameOf(kind, at.slice(0, 13), user()), { ...(entry as Entry), at })
  }
  const isOver = (name: string) => {
    const { hour, owner } = partsOf(name)
    const begun = Date.parse(`${hour}:00:00Z`)
    // a clock that was set ahead has stamped it: it would stay for ever
    const isToday = begun >= now() - (KEPT_HOURS + 1) * HOUR_MS && begun <= now() + HOUR_MS
    return !isToday || !['', user()].includes(owner)
  }
  return {
    called: (call) => add('calls', call),
    moved: (transition) => add('moves', transition),
    async read() {
      const lists = [...(await ring.read())].filter(([name]) => !isOver(name))
      const since = new Date(now() - KEPT_HOURS * HOUR_MS).toISOString()
      const of = <T extends Entry>(kind: Kind, isOne: (value: unknown) => value is T) =>
        lists
          .filter(([name]) => partsOf(name).kind === kind)
          .flatMap(([, entries]) => entries.filter(isOne))
          .filter(({ at }) => at >= since)
          .toSorted((a, b) => (a.at < b.at ? -1 : 1))
      return { calls: of('calls', isCall), moves: of('moves', isMove) }
    },
    expire: () => ring.drop(isOver),
    clear: ring.clear,
  }
}

type Kind = 'calls' | 'moves'

/** The user last: nothing is known of how an id looks. */
const nameOf = (kind: Kind, hour: string, owner: string) => `${kind} ${hour} ${owner}`

function partsOf(name: string) {
  const [kind, hour, ...owner] = name.split(' ')
  return { kind, hour, owner: owner.join(' ') }
}

const isCall = (value: unknown): value is JournalCall =>
  hasShapeOf(value, { at: '', method: '', path: '', status: 0, tookMs: 0, sent: 0, received: 0 })

const isMove = (value: unknown): value is JournalMove =>
  hasShapeOf(value, {
    at: '',
    change: '',
    resource: '',
    kind: '',
    to: '',
    status: 0,
    serverErrors: 0,
    wish: '',
  })
