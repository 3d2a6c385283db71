/**
 * What the cases share: the session, the rows of the coming days, and records that were made once for all of them.
 * Every record that is made is written down, with its mark where it has a text.
 */
import { randomBytes } from 'node:crypto'
import type { ConformOptions } from './options.ts'
import { rowIn, rowsIn, shaped, signIn, textOf, type Row } from './shapes.ts'
import { addDays, tokyoDay } from './tokyo.ts'
import { must, needed } from './verdict.ts'
import { createWire, type Answer, type Sent, type Wire } from './wire.ts'

export interface Made {
  what: string
  id: string
  /** Whose it is: a request's or a folder's id. */
  at: string
}

export type SignIn = typeof signIn.infer

export interface Bench {
  options: ConformOptions
  wire: Wire
  /** Addresses. */
  at: { api: string; rest: string; login: string; refresh: string; probe: string; files: string }
  /** Epoch ms, of this machine. */
  now: () => number
  today: string
  /** Stands in every text that is made. */
  mark: string
  made: Made[]
  /** Idempotency keys that records were made with, by id. */
  keys: Map<string, string>
  signIn: () => Promise<SignIn>
  session: () => Promise<SignIn>
  loginUserId: () => Promise<string>
  /** A signed call under `{rest}` with the session's token; signs in anew once where that is dead. */
  rest: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
  /** `rest` of a JSON answer with that status. */
  ask: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<unknown>
  search: (query: Record<string, string | number>) => Promise<{ rows: Row[]; total: string | null }>
  /** The rows of yesterday to two weeks ahead, at most 400. */
  window: () => Promise<Row[]>
  /** `request/{id}` of that row's day. */
  whole: (row: Row) => Promise<Row>
  /** Whether `--request` lets records hang on it. */
  mayChange: (row: Row) => boolean
  /** A row that fits and that no case has taken. Skips where there is none. */
  claim: (kind: string, fits: (row: Row) => boolean | Promise<boolean>) => Promise<Row>
  /** Does it once for all cases, even where it fails. */
  once: <T>(name: string, make: () => Promise<T>) => Promise<T>
}

const PAGE = 50
const ROWS_MOST = 400
/** Rows that are looked at for one that is free. */
const LOOKED_AT_MOST = 60

export function addressesOf(options: ConformOptions): Bench['at'] {
  const { url, apiEndpoint, crmEndpoint, securityEndpoint, fileStoreEndpoint } = options
  const api = new URL(apiEndpoint, url).href.replace(/\/$/, '')
  return {
    api,
    rest: `${api}/${crmEndpoint}-rest/spa`,
    login: `${api}/${crmEndpoint}/login`,
    refresh: `${api}/${securityEndpoint}/refresh-token`,
    probe: api.replace(/v1(?=$|\/)/, 'check'),
    files: new URL(fileStoreEndpoint, url).href.replace(/\/$/, ''),
  }
}

/** @param now epoch ms */
export function createBench(options: ConformOptions, now: () => number): Bench {
  const wire = createWire(options)
  const at = addressesOf(options)
  const today = tokyoDay(now())
  const kept = new Map<string, Promise<unknown>>()
  const once = <T>(name: string, make: () => Promise<T>): Promise<T> => {
    if (!kept.has(name)) kept.set(name, make())
    return kept.get(name) as Promise<T>
  }
  const newSession = async () => shaped(signIn, (await login(wire, at, options)).json, 'ログイン')
  const session = () => once('session', newSession)
  const rest: Bench['rest'] = async (method, path, body, headers = {}) => {
    const call = async () => {
      const { accessToken } = await session()
      const sent: Sent = { body, headers: { authorization: `Bearer ${accessToken}`, ...headers } }
      return wire.call(method, `${at.rest}/${path}`, sent)
    }
    const answer = await call()
    if (answer.status !== 401 && answer.status !== 498) return answer
    kept.delete('session')
    return call()
  }
  const ask: Bench['ask'] = async (method, path, body, headers) => {
    const answer = await rest(method, path, body, headers)
    must(
      answer.status === 200 || answer.status === 201,
      `${method} ${path.split('?')[0]} が ${answer.status} でした。`,
    )
    must(answer.json !== undefined, `${method} ${path.split('?')[0]} の応答が JSON ではありません。`)
    return answer.json
  }
  const loginUserId = async () => {
    const { userInfo } = await session()
    return userInfo.supplierStaffId ?? userInfo.id
  }
  const search: Bench['search'] = async (query) => {
    const whole: Record<string, string | number> = { supplierStaffId: await loginUserId(), ...query }
    const asked = new URLSearchParams(Object.entries(whole).map(([name, value]) => [name, String(value)]))
    const answer = await rest('GET', `request/search?${asked}`)
    must(answer.status === 200, `request/search が ${answer.status} でした。`)
    return { rows: rowsIn(answer.json, 'request/search'), total: answer.headers.get('x-total-count') }
  }
  const window = () => once('window', () => windowRows(search, today))
  const whole: Bench['whole'] = async (row) => {
    const query = new URLSearchParams({
      supplierStaffId: await loginUserId(),
      workingDate: textOf(row, 'workingDate') ?? '',
    })
    return rowIn(
      await ask('GET', `request/${encodeURIComponent(textOf(row, 'id') ?? '')}?${query}`),
      'request/{id}',
    )
  }
  const mayChange = (row: Row) =>
    options.requests.length === 0 || options.requests.includes(textOf(row, 'id') ?? '')
  const claim = claimFrom(window, mayChange, today)
  const mark = `[conform ${today.replaceAll('-', '')}-${randomBytes(3).toString('hex')}]`
  return {
    ...{
      options,
      wire,
      at,
      now,
      today,
      mark,
      made: [],
      keys: new Map<string, string>(),
      signIn: newSession,
      session,
      loginUserId,
    },
    ...{ rest, ask, search, window, whole, mayChange, claim, once },
  }
}

export function login(
  wire: Wire,
  at: Bench['at'],
  { user, password }: Pick<ConformOptions, 'user' | 'password'>,
) {
  const body = new URLSearchParams({ userName: user, password }).toString()
  return wire.call('POST', at.login, {
    body,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
}

async function windowRows(search: Bench['search'], today: string): Promise<Row[]> {
  const days = { workingDateFrom: addDays(today, -1), workingDateTo: addDays(today, 14) }
  const rows: Row[] = []
  while (rows.length < ROWS_MOST) {
    const page = await search({ ...days, limit: PAGE, offset: rows.length + 1 })
    rows.push(...page.rows)
    if (page.rows.length < PAGE) break
  }
  return rows
}

/** Today's rows first: a test environment may refuse an entry before its day. */
function claimFrom(window: Bench['window'], mayChange: Bench['mayChange'], today: string): Bench['claim'] {
  const taken = new Set<string>()
  return async (kind, fits) => {
    const allowed = (await window()).filter(mayChange)
    const [now, others] = [
      allowed.filter((row) => row['workingDate'] === today),
      allowed.filter((row) => row['workingDate'] !== today),
    ]
    for (const row of [...now, ...others].slice(0, LOOKED_AT_MOST)) {
      const key = `${kind} ${textOf(row, 'id')} ${textOf(row, 'workingDate')}`
      if (taken.has(key) || !(await fits(row))) continue
      taken.add(key)
      return row
    }
    needed(false, 'まだ登録のない依頼が、試験の期間（昨日〜14日先）にありません。')
    throw new Error('never')
  }
}
