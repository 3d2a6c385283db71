/** What a fault of the plan makes of an answer. */
import type { CrmAnswer } from './crm.ts'
import type { Fault } from './plan.ts'
import type { Sent } from './sent.ts'

const PAGE = '<!doctype html><title>Gateway</title>'
const json = (status: number, body: unknown, headers: Record<string, string> = {}): Sent => ({
  status,
  body: JSON.stringify(body),
  isJson: true,
  headers,
})
const html = (status: number): Sent => ({ status, body: PAGE, isJson: false, headers: {} })

export const sentOf = ({ status, json: body, total }: CrmAnswer): Sent =>
  body === undefined
    ? { status, body: '', isJson: false, headers: {} }
    : json(status, body, total === undefined ? {} : { 'x-total-count': String(total) })

const SEARCH = 'request/search'
const OF_ONE = /^(report|safety|quickReport|emergencyReport|noteLocationArea|[a-z]+ChangeRequest)\/[^/]+$/i

/** Whether it strikes a call of this path at all. */
export function strikes({ what, status, path }: Fault, called: string, method: string): boolean {
  if (called === 'check') return what === 'lost' || what === 'slow' || what === 'page'
  // the CRM's own 404 says that there is no such record, or no past report (OC7): it is believed
  if (what === 'status' && status === 404 && method === 'GET' && OF_ONE.test(called)) return false
  // a list with a hole counts as read until its life is over
  if (what === 'emptyWindow' || what === 'shortWindow' || what === 'wrongTotal') return called === SEARCH
  if (what === 'ignoresOffset') return method === 'GET'
  if (what === 'poison') return method === 'GET' && called.startsWith(path)
  if (what === 'blockedWrite') return method !== 'GET' && called.startsWith(path)
  if (what === 'ownTrouble') return method === 'GET' && called.startsWith(path)
  return called.startsWith(path)
}

/** Instead of asking the CRM at all; undefined where it is asked; null where the call is lost. */
export function before({ what, status, seconds, at }: Fault): Sent | null | undefined {
  switch (what) {
    case 'page':
      return html(status)
    case 'status':
    case 'ownTrouble':
    case 'blockedWrite':
      return json(status, { error: '' })
    case 'apiDown':
      return json(500, { error: '' })
    case 'retryAfter':
      return json(status, {}, { 'retry-after': String(seconds) })
    case 'portal':
      // one with a page, or one that sends all calls to its login, which speaks JSON
      return at % 2 === 0 ? html(200) : { ...json(200, []), isRedirected: true }
    case 'lost':
      return null
    default:
      return undefined
  }
}

/** The query as the CRM understands it. */
export function misread({ what }: Fault, query: URLSearchParams): URLSearchParams {
  if (what !== 'ignoresOffset') return query
  const known = new URLSearchParams(query)
  known.set('offset', '1')
  return known
}

/** What becomes of the CRM's answer; null where it is lost. */
export function after({ what, share }: Fault, sent: Sent): Sent | null {
  if (what === 'lostAnswer') return null
  if (what === 'slow') return { ...sent, isSlow: true }
  if (sent.status !== 200 || !sent.isJson) return sent
  if (what === 'poison') return poisoned(sent, share)
  if (what === 'heavy') return heavy(sent)
  const total = Number(sent.headers['x-total-count'] ?? Number.NaN)
  if (Number.isNaN(total)) return sent
  if (what === 'wrongTotal') return share < 1 ? withHole(sent) : withTotal(sent, notTotal(sent, total))
  if (what === 'emptyWindow') return json(200, [], { ...sent.headers, 'x-total-count': '0' })
  // half of what is there may be believed (PL6)
  if (what === 'shortWindow' && total > 3) {
    const rows = (JSON.parse(sent.body) as unknown[]).slice(0, 1)
    return json(200, rows, { ...sent.headers, 'x-total-count': String(rows.length) })
  }
  return sent
}

/** One too few; where that is a whole number of pages nobody can see it, and so few are believed to be gone (PL6): one too many. */
function notTotal({ body }: Sent, total: number): number {
  const size = (JSON.parse(body) as unknown[]).length
  return total > size && (total - 1) % size === 0 ? total + 1 : total - 1
}

const withTotal = (sent: Sent, total: number): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'x-total-count': String(Math.max(0, total)) },
})

/** A row is counted, and not given. */
function withHole(sent: Sent): Sent {
  const rows = JSON.parse(sent.body) as unknown[]
  return { ...sent, body: JSON.stringify(rows.slice(1)) }
}

const TEXT = 'あ'.repeat(6_000)
const DEEP = `${'['.repeat(45)}${']'.repeat(45)}`
const WEIGHT = { remarks: Array.from({ length: 12 }, () => TEXT), history: JSON.parse(DEEP) as unknown }

/** All that is asked for, and with each row what nobody asked for: long texts, deep nesting. */
function heavy(sent: Sent): Sent {
  const body: unknown = JSON.parse(sent.body)
  const laden = (row: unknown) =>
    typeof row === 'object' && row !== null && !Array.isArray(row) ? { ...row, ...WEIGHT } : row
  const whole = Array.isArray(body) ? body.map(laden) : laden(body)
  return { ...sent, body: JSON.stringify(whole) }
}

/** Rows that do not parse: a field of another kind, or nothing of a row at all. */
function poisoned(sent: Sent, share: number): Sent {
  const body: unknown = JSON.parse(sent.body)
  const spoilt = (row: unknown) =>
    share < 1 && typeof row === 'object' ? { ...row, id: undefined, workingDate: { at: 1 } } : 'nothing'
  const wrong = Array.isArray(body) ? body.map((row, at) => (at === 0 ? spoilt(row) : row)) : spoilt(body)
  return { ...sent, body: JSON.stringify(wrong) }
}
