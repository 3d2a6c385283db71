/**
 * Stores diagnostics of the app: errors, calls, moves (changes of a send state) and figures, in one database per CRM.
 *
 *     watch-errors.ts ─ error ──────┐                       ┌─→ screens: エラーログ, 動作状況
 *     network.ts ─ call (recorder) ─┼─→ lists of entries ───┼─→ support file (support-file.ts)
 *     sync ─ move (recorder) ───────┤   `kind part owner`   └─→ OTLP (telemetry/)
 *     figures.ts ─ figure (recorder)┘
 *
 * Invariants:
 * - Each list has a maximum length and drops its oldest entries. Each kind of entry has a maximum age.
 * - A list belongs to one user, or to nobody (''). A user reads their own lists and nobody's. Once the user is signed
 *   out, no entry is added to their lists.
 * - Each write is one transaction, so that tabs do not overwrite each other's entries.
 * - Calls, moves and figures name no customer. Errors contain no values (error-log.ts).
 * - A failed read or write of an entry is ignored, so that it never disturbs the work that the entry describes.
 */
import { clear, createStore, getMany, keys, promisifyRequest, update, type UseStore } from 'idb-keyval'
import type { Transition } from '#sync/changes/send-adapter.ts'
import type { EndedCall } from '#sync/transport/http.ts'
import { scoped } from '#lib/browser/crm-scope.ts'
import { hasShapeOf } from '#lib/browser/stored-json.ts'
import type { Figure } from '#lib/field-figures.ts'

const HOUR_MS = 3_600_000

/** `response`: status, URL and length of the unexpected answer; '' for an error without an answer. */
const ERROR = { at: '', id: '', message: '', stack: '', response: '', screen: '', user: '', agent: '' }
export type ErrorEntry = typeof ERROR

export type CallEntry = Omit<EndedCall, 'url'> & { at: string; path: string }

export type MoveEntry = Transition & { at: string }

export type Entries = { error: ErrorEntry; call: CallEntry; move: MoveEntry; figure: Figure }
export type Kind = keyof Entries

interface KindRule<T> {
  most: number
  /** Maximum age of an entry in hours: of the signed-in user, of nobody, and of other users. */
  hours: { own: number; nobody: number; others: number }
  /** Middle part of the name of the entry's list (`kind part owner`), for example one list for each hour. */
  part: (entry: T) => string
  example: object
}

const hourOf = ({ at }: { at: string }) => at.slice(0, 13)
const DAY = { most: 500, hours: { own: 24, nobody: 24, others: 0 }, part: hourOf }

const KINDS: { readonly [K in Kind]: KindRule<Entries[K]> } = {
  error: {
    most: 200,
    hours: { own: Infinity, nobody: 24, others: 24 },
    part: () => '',
    example: ERROR,
  },
  call: { ...DAY, example: { at: '', method: '', path: '', status: 0, tookMs: 0, sent: 0, received: 0 } },
  move: {
    ...DAY,
    example: { at: '', change: '', resource: '', kind: '', to: '', status: 0, serverErrors: 0, wish: '' },
  },
  figure: {
    most: 200,
    hours: { own: 168, nobody: 168, others: 168 },
    part: ({ name }) => name,
    example: { at: '', id: '', name: '', value: 0, unit: '', route: '' },
  },
}

export type Noted = { list: string; entry: Entries[Kind] }

type DiagnosticsParts = { scope: string; now: () => number; user: () => string }

export type Diagnostics = ReturnType<typeof openDiagnostics>

export const TELEMETRY_KEY = 'telemetry'

/** Opens the database for one CRM's diagnostics. The database with scope '' also has the state of telemetry. */
export const diagnosticsDatabase = (scope: string) =>
  createStore(scoped('genba-diagnostics', scope), 'values')

export function openDiagnostics({ scope, now, user }: DiagnosticsParts) {
  const database = diagnosticsDatabase(scope)
  const isReadable = (list: string) => ['', user()].includes(ownerOf(list))
  const listsOf = async (kind: Kind) =>
    (await keys<string>(database)).filter((list) => kindOf(list) === kind && isReadable(list))
  const aliveFor = (hours: number) => {
    const [since, until] = [now() - hours * HOUR_MS, now() + HOUR_MS]
    // Entries more than an hour in the future are dropped, because a clock that was ahead would keep them too long.
    const isYoung = (time: number) => hours > 0 && time >= since && time <= until
    return ({ at }: { at: string }) => hours === Infinity || isYoung(Date.parse(at))
  }
  const hoursOf = (list: string, { hours }: KindRule<never>) =>
    ownerOf(list) === user() ? hours.own : ownerOf(list) === '' ? hours.nobody : hours.others
  return {
    /** Prepares an entry for `write`: adds the current time and the name of its list. */
    note<K extends Kind>(kind: K, facts: Omit<Entries[K], 'at'>): Noted {
      const entry = { ...facts, at: new Date(now()).toISOString() } as Entries[K]
      return { entry, list: [kind, KINDS[kind].part(entry), user()].join(' ') }
    },
    async write(noted: readonly Noted[]): Promise<void> {
      for (const list of new Set(noted.map((each) => each.list))) {
        const added = noted.filter((each) => each.list === list)
        if (isReadable(list))
          await update<unknown>(list, (stored) => withAdded(list, stored, added), database)
      }
    },
    async read<K extends Kind>(kind: K): Promise<Entries[K][]> {
      const stored = await listsOf(kind)
        .then((lists) => getMany<unknown>(lists, database))
        .catch(() => [])
      return stored
        .flatMap((list) => entriesOf(kind, list))
        .filter(aliveFor(KINDS[kind].hours.own))
        .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    },
    async removeErrors(ids: ReadonlySet<string>): Promise<void> {
      for (const list of await listsOf('error'))
        await update<unknown>(
          list,
          (stored) => entriesOf('error', stored).filter(({ id }) => !ids.has(id)),
          database,
        )
    },
    expire: () =>
      deleteWhere(database, (list, stored) => {
        const kind = kindOf(list)
        return kind !== null && !entriesOf(kind, stored).some(aliveFor(hoursOf(list, KINDS[kind])))
      }),
    /** Deletes all entries and the state of telemetry, because users of another CRM must not see them. */
    clear: () => clear(database),
  }
}

const deleteWhere = (database: UseStore, isOver: (key: string, value: unknown) => boolean) =>
  database('readwrite', (values) => {
    const cursors = values.openCursor()
    cursors.addEventListener('success', () => {
      const cursor = cursors.result
      if (!cursor) return
      if (typeof cursor.key === 'string' && isOver(cursor.key, cursor.value)) cursor.delete()
      cursor.continue()
    })
    return promisifyRequest(values.transaction)
  })

const kindOf = (list: string): Kind | null => {
  const [kind = ''] = list.split(' ')
  return Object.hasOwn(KINDS, kind) ? (kind as Kind) : null
}

const ownerOf = (list: string): string => list.split(' ').slice(2).join(' ')

const entriesOf = <K extends Kind>(kind: K, stored: unknown): Entries[K][] =>
  Array.isArray(stored)
    ? stored.filter((each): each is Entries[K] => hasShapeOf(each, KINDS[kind].example))
    : []

/** Adds entries to a list. An entry replaces one with the same id, because web-vitals reports growing values. */
function withAdded(list: string, stored: unknown, added: readonly Noted[]): Entries[Kind][] {
  const kind = kindOf(list)
  if (!kind) return []
  const byId = new Map<unknown, Entries[Kind]>()
  for (const entry of [...entriesOf(kind, stored), ...added.map((each) => each.entry)]) {
    const id = 'id' in entry ? entry.id : entry
    byId.delete(id)
    byId.set(id, entry)
  }
  return [...byId.values()].slice(-KINDS[kind].most)
}
