/**
 * The part of the CRM that what is sent needs, to the letter of the contract (sections 2 to 4), small and synchronous, so
 * that ten thousand runs are cheap: here quick reports, in `model-records.ts` all else. `demo-witness.ts` puts the demo CRM
 * in the same place.
 */
import { digest } from '#sync/wire/request.ts'
import type { Answer } from '#sync/transport/outcome.ts'
import type { HttpCall } from '#sync/transport/http.ts'
import type { Config } from './plan-item.ts'
import { toTokyoIso } from '#lib/time/tokyo-time.ts'
import { ModelRecords } from './model-records.ts'
import { recordKinds, storedBy, type Content, type Held } from './record-kinds.ts'

const ORIGIN = 'http://crm.test'
export const LOGIN_URL = `${ORIGIN}/api/v1/crm/login`
export const REFRESH_URL = `${ORIGIN}/api/v1/security/refresh-token`
export const PROBE_URL = `${ORIGIN}/api/check`
export const REST = `${ORIGIN}/api/v1/crm-rest/spa`

export interface CrmReport {
  id: string
  requestId: string
  workingDate: string
  inTime: string
  outTime: string | null
  type: string | null
  reason1: string | null
  reason2: string | null
  reportContent: string | null
  confirmed: boolean
}

export interface CrmRequest {
  id: string
  workingDate: string
  workingDateType: string | null
}

/** The CRM as the network reaches it; what it answers may take a real moment, never a virtual one. */
export interface Crm {
  requests: readonly CrmRequest[]
  act(call: HttpCall): Answer | Promise<Answer>
  /** What a pull would find for a visit now. */
  report(request: CrmRequest): Promise<CrmReport | null>
  /** Another company enters, edits or confirms; a request is taken away. */
  otherEnters(request: CrmRequest, inTime: string): void | Promise<void>
  /** @param edit of what the report says now, made into what it says then */
  otherEdits(request: CrmRequest, edit: OfficeEdit): void | Promise<void>
  confirms?(request: CrmRequest): void
  removes?(request: CrmRequest): void
  /** What it holds beside quick reports; nothing where that is not known. */
  held?(): Held[]
  /** The office edits one of these. @param edit of what it says now, made into what it says then */
  editsHeld?(id: string, edit: (held: Content) => Content): void
  /** Every access token is dead from now on. */
  expireTokens?(): void
}

interface Options {
  now: () => number
  today: string
  honourIdempotency: boolean
  tokenLifeMs: number
  etags: Config['etags']
  storings: Config['storings']
}

const answer = (status: number, body: unknown = null): Answer => ({
  kind: 'answer',
  status,
  body,
  isJson: true,
  total: null,
  retryAfter: null,
})
const refused = (key: string) => answer(400, { errors: [key] })
const NO_CONTENT = { outTime: null, type: null, reason1: null, reason2: null, reportContent: null }

/** Changes of a report's content that somebody else makes, field by field. */
export type OfficeEdit = (report: CrmReport) => Partial<Pick<CrmReport, keyof typeof NO_CONTENT>>

/** The office corrects one thing, or another company writes it all. @param nowMs no two edits say the same */
export function officeEdit(variant: number, nowMs: number): OfficeEdit {
  const outTime = toTokyoIso(nowMs)
  const reason1 = String(1 + (Math.floor(nowMs / 1000) % 6))
  const type = { type: '2', reason1, reason2: null }
  switch (variant % 4) {
    case 0:
      return () => type
    case 1:
      return () => ({ outTime })
    case 2:
      return ({ reportContent }) => ({ reportContent: `${reportContent ?? ''} 事務 ${nowMs}` })
    default:
      return () => ({ ...type, outTime })
  }
}

/** The office corrects one field of a record. @param nowMs no two edits say the same */
export function officeEditOf(
  { collection }: Held,
  variant: number,
  nowMs: number,
): (held: Content) => Content {
  const { content, words } = recordKinds[collection]
  const field = content[variant % content.length] ?? ''
  const said = field.endsWith('Time') ? toTokyoIso(nowMs) : String(Math.floor(nowMs / 1000) % 7)
  return (held) => ({ ...held, [field]: field === words ? `${held[field]} 事務 ${nowMs}` : said })
}
const NOT_FOUND = answer(404, { error: '該当するデータがありません。' })

export function createModelCrm(options: Options): Crm {
  const { now, today, honourIdempotency, tokenLifeMs, etags, storings = [] } = options
  const requests: CrmRequest[] = ['r1', 'r2', 'r3', 'r4'].map((id) => ({
    id,
    workingDate: today,
    workingDateType: '1',
  }))
  const gone = new Set<string>()
  const reports = new Map<string, CrmReport>()
  const access = new Map<string, { user: string; until: number }>()
  const refresh = new Map<string, string>()
  const answered = new Map<string, Answer>()
  let number = 0

  const pairFor = (user: string) => {
    const pair = { accessToken: `at-${user}-${(number += 1)}`, refreshToken: `rt-${user}-${number}` }
    access.set(pair.accessToken, { user, until: now() + tokenLifeMs })
    refresh.set(pair.refreshToken, user)
    return pair
  }
  const login = (body: string) => {
    const user = new URLSearchParams(body).get('userName') ?? ''
    const userInfo = { id: user, supplierStaffId: `staff-${user}`, userFlag: 5, loginUserName: user }
    return answer(200, { ...pairFor(user), userInfo })
  }
  const renew = (body: string) => {
    const { refreshToken } = JSON.parse(body) as { refreshToken: string }
    const user = refresh.get(refreshToken)
    if (user === undefined || !refresh.delete(refreshToken)) return answer(401)
    return answer(200, pairFor(user))
  }
  /** A record in another state has another tag. */
  const tagOf = (state: object) => {
    const text = digest(state)
    return { none: null, strong: `"${text}"`, weak: `W/"${text}"` }[etags]
  }
  const isStale = (report: CrmReport | undefined, { 'If-Match': ifMatch }: Record<string, string>) =>
    ifMatch !== undefined && etags === 'strong' && (!report || tagOf(report) !== ifMatch)
  const records = new ModelRecords({
    isThere: (id) => !gone.has(id) && requests.some((request) => request.id === id),
    tagOf,
    honoursIfMatch: etags === 'strong',
    storings,
  })
  const byId = (id: string) => [...reports.values()].find((report) => report.id === id)
  const isTooLate = ({ workingDate }: CrmReport) => now() - Date.parse(workingDate) > 8 * 86_400_000

  function enter(body: Record<string, string>): Answer {
    const { requestId = '', workingDate = '', inTime = '' } = body
    if (gone.has(requestId) || !requests.some(({ id }) => id === requestId)) return NOT_FOUND
    if (reports.has(requestId)) return refused('ec00011')
    const id = `qr${(number += 1)}`
    const blank = { ...NO_CONTENT, confirmed: false }
    reports.set(requestId, { id, requestId, workingDate, inTime, ...blank })
    return answer(200, { id, inTime })
  }

  function change(ids: readonly string[], body: Record<string, string | null>): Answer {
    if (ids.length === 0) return refused('ec00013')
    const found = ids.map(byId)
    for (const report of found) {
      if (!report) return NOT_FOUND
      if (isTooLate(report)) return refused('ec00012')
      if (report.confirmed) return refused('ec00008')
    }
    for (const report of found) if (report) Object.assign(report, storedBy(storings, contentOf(report, body)))
    return answer(204)
  }

  function readReport(id: string): Answer {
    const report = byId(id)
    if (!report || gone.has(report.requestId)) return NOT_FOUND
    const { confirmed, reason1, reason2, ...fields } = report
    const body = { ...fields, reason1Id: reason1, reason2Id: reason2, editStatus: confirmed ? 'NG' : 'OK' }
    return { ...answer(200, body), etag: tagOf(report) } as Answer
  }

  function read(path: string): Answer {
    const [, reportId] = /^quickReport\/([^?]+)/.exec(path) ?? []
    if (reportId !== undefined) return readReport(decodeURIComponent(reportId))
    const [, id = ''] = /^request\/([^?]+)/.exec(path) ?? []
    const request = requests.find((each) => each.id === id)
    if (!request || gone.has(id)) return NOT_FOUND
    const { confirmed, ...report } = reports.get(id) ?? { confirmed: false }
    const quickReport = 'id' in report ? { ...report, editStatus: confirmed ? 'NG' : 'OK' } : null
    const others = records.inRequest(id)
    return answer(200, { ...request, ...others, requestCode: `C-${id}`, quickReport, ttsOrder: {} })
  }

  function rest(call: HttpCall): Answer {
    const { method, url, body = '{}', headers = {} } = call
    const token = access.get((headers['Authorization'] ?? '').replace('Bearer ', ''))
    if (!token || token.until <= now()) return answer(401)
    const path = url.slice(REST.length + 1)
    const key = `${token.user}/${headers['Idempotency-Key'] ?? ''}`
    const before = method === 'POST' && honourIdempotency ? answered.get(key) : undefined
    const ofOthers = before ? null : records.act(call)
    if (ofOthers) {
      if (ofOthers.kind === 'answer' && ofOthers.status === 201) answered.set(key, ofOthers)
      return ofOthers
    }
    if (method === 'GET') return read(path)
    const parsed = JSON.parse(body) as Record<string, string> & { quickReports?: { id: string }[] }
    if (path === 'quickReport/requestUpdate')
      return change(
        (parsed.quickReports ?? []).map(({ id }) => id),
        parsed,
      )
    if (method === 'PUT') {
      const id = decodeURIComponent(path.slice('quickReport/'.length))
      return isStale(byId(id), headers) ? answer(412) : change([id], parsed)
    }
    const end = before ?? enter(parsed)
    if (end.kind === 'answer' && end.status === 200) answered.set(key, end)
    return end
  }

  return {
    requests,
    act(call) {
      if (call.url === LOGIN_URL) return login(call.body ?? '')
      return call.url === REFRESH_URL ? renew(call.body ?? '') : rest(call)
    },
    report: async ({ id }) => {
      const report = reports.get(id)
      return report && !gone.has(id) ? { ...report } : null
    },
    otherEnters({ id, workingDate }, inTime) {
      if (!reports.has(id)) enter({ requestId: id, workingDate, inTime })
    },
    otherEdits({ id }, edit) {
      const report = reports.get(id)
      if (!report) return
      const { outTime, type, reason1, reason2, reportContent } = report
      change([report.id], { outTime, type, reason1, reason2, reportContent, ...edit(report) })
    },
    confirms({ id }) {
      const report = reports.get(id)
      if (report) report.confirmed = true
      records.confirms(id)
    },
    removes({ id }) {
      gone.add(id)
      reports.delete(id)
    },
    held: records.held,
    editsHeld: (id, edit) => records.otherEdits(id, edit),
    expireTokens: () => access.clear(),
  }
}

/** An absent field is a null one; only the entry time stays where it is not sent (crm-contract 2, 4). */
const contentOf = (old: CrmReport, sent: Record<string, string | null | undefined>) => ({
  inTime: sent['inTime'] ?? old.inTime,
  outTime: sent['outTime'] ?? null,
  type: sent['type'] ?? null,
  reason1: sent['reason1'] ?? null,
  reason2: sent['reason2'] ?? null,
  reportContent: sent['reportContent'] ?? null,
})
