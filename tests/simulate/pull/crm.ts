/** The CRM of the pulling simulation: what it answers to a call, to the letter of crm-contract 4. It fails in `network.ts`. */
import { pickOf } from '../random.ts'
import { rowOf, reportOf, wholeOf } from './crm-rows.ts'
import { visitName, type CrmState, type Kind, type Row, type Visit } from './crm-state.ts'

export interface CrmCall {
  method: string
  path: string
  query: URLSearchParams
  body: Row
  /** Who the bearer token belongs to. */
  staff: string
}

export interface CrmAnswer {
  status: number
  json?: unknown
  total?: number
}

/** What a row that was served tells of: kind and name, as `CrmState.lackedSince` knows them. */
export type Served = (kind: Kind, name: string) => void

const ok = (json: unknown, total?: number): CrmAnswer => ({
  status: 200,
  json,
  ...(total !== undefined && { total }),
})
const created = (json: unknown): CrmAnswer => ({ status: 201, json })
const done: CrmAnswer = { status: 204 }
const notFound: CrmAnswer = { status: 404, json: { error: 'ありません' } }
const refused = (code: string): CrmAnswer => ({ status: 400, json: { errors: [code] } })

const SINGLE: Record<string, Kind> = {
  quickReport: 'quickReports',
  emergencyReport: 'emergencyReports',
  noteLocationArea: 'noteLocationAreas',
  safety: 'safetyMeasures',
  customerLocationChangeRequest: 'customerLocationChangeRequests',
  locationContactChangeRequest: 'locationContactChangeRequests',
}

export function answerOf(state: CrmState, call: CrmCall, served: Served): CrmAnswer {
  return call.method === 'GET' ? read(state, call, served) : write(state, call)
}

function read(state: CrmState, { path, query, staff }: CrmCall, served: Served): CrmAnswer {
  const [resource = '', id = '', of = ''] = path.split('/').map(decodeURIComponent)
  const tell = (kind: Kind, rows: readonly Row[]) => {
    for (const row of rows) served(kind, row.id)
    return rows
  }
  if (resource === 'request' && id === 'search') return search(state, query, staff, served)
  if (resource === 'request') return whole(state, id, query.get('workingDate'), staff, served)
  if (resource === 'emergencyReport' && id === 'request') {
    if (state.visitsOfRequest(of).length === 0) return notFound
    return ok(tell('emergencyReports', state.recordsOf('emergencyReports', 'requestId', of)))
  }
  if (resource === 'noteLocationArea' && id === 'request') {
    const [visit] = state.visitsOfRequest(of)
    if (!visit) return notFound
    const notes = state.recordsOf('noteLocationAreas', 'locationAreaId', visit.area)
    return page(
      notes.filter((row) => row['type'] === query.get('type')),
      query,
      (rows) => tell('noteLocationAreas', rows),
    )
  }
  if (resource === 'report') {
    const rows = state.recordsOf('pastReports', 'deviceId', id)
    return rows.length > 0 ? page(rows, query, (part) => tell('pastReports', part)) : notFound
  }
  if (resource === 'supplierStaff')
    return ok(tell('supplierStaff', state.recordsOf('supplierStaff', 'supplierId', id)))
  const kind = SINGLE[resource]
  const row = kind && state.of(kind).get(id)
  if (!kind || !row) return notFound
  served(kind, id)
  return ok(row)
}

function page(
  rows: readonly Row[],
  query: URLSearchParams,
  part: (rows: readonly Row[]) => unknown,
): CrmAnswer {
  const [limit, offset] = [Number(query.get('limit') ?? 50), Number(query.get('offset') ?? 1)]
  return ok(part(rows.slice(offset - 1, offset - 1 + limit)), rows.length)
}

function search(state: CrmState, query: URLSearchParams, staff: string, served: Served): CrmAnswer {
  const [from, to] = [query.get('workingDateFrom') ?? '', query.get('workingDateTo') ?? '9']
  const visits = state.visitsOf(staff).filter(({ workingDate: day }) => day >= from && day <= to)
  const rows = visits.map((visit): Row => ({ ...rowOf(state, visit), name: visitName(visit) }))
  const answer = page(rows, query, (part) => {
    // who asks for one row of any day asks how late it is, and keeps nothing of it (`sender.ts`)
    if (query.get('limit') === '1') return part
    for (const { name } of part) served('request', `${staff} ${String(name)}`)
    return part
  })
  const size = Number(query.get('limit'))
  const hasMore = query.get('offset') === '1' && size > 1 && visits.length > size
  if (hasMore && to > from) moveOne(state, visits.slice(0, size), to)
  return answer
}

/** Between two pages, to the last day, where nothing hangs on the visit: what comes after it moves up by one. */
function moveOne(state: CrmState, visits: readonly Visit[], workingDate: string): void {
  const [chance] = state.moves
  const known = new Set(state.visitsOf(visits[0]?.staff ?? '').map(visitName))
  const isFree = (visit: Visit) => !reportOf(state, visit) && !known.has(visitName({ ...visit, workingDate }))
  const visit = chance === undefined ? undefined : pickOf(visits.filter(isFree), chance)
  if (!visit || workingDate === '9') return
  state.moves.shift()
  state.cancel(visit)
  state.plan({ ...visit, workingDate })
}

/** Nobody but whose it is sees a request. */
function whole(state: CrmState, id: string, day: string | null, staff: string, served: Served): CrmAnswer {
  const visits = state.visitsOfRequest(id).filter((visit) => visit.staff === staff)
  const visit = day ? visits.find(({ workingDate }) => workingDate === day) : visits[0]
  if (!visit) return notFound
  served('request', `${staff} ${visitName(visit)}`)
  return ok(wholeOf(state, visit))
}

function write(state: CrmState, call: CrmCall): CrmAnswer {
  const [resource = '', id = ''] = call.path.split('/')
  const { body } = call
  if (resource === 'quickReport') return writeReport(state, call, id)
  const kind = SINGLE[resource]
  if (!kind) return notFound
  if (call.method === 'PUT') {
    const known = state.of(kind).get(id)
    if (!known) return notFound
    const { requestId: _, workingDate: __, loginUserId: ___, ...fields } = body
    state.put(kind, { ...known, ...fields, id })
    state.silent.add(id)
    return done
  }
  const [visit] = state.visitsOfRequest(String(body['requestId']))
  if (!visit) return notFound
  if (refusesSecond(state, kind, body)) return refused('ec00026')
  const row = state.put(kind, { ...body, ...EXTRA[kind]?.(visit), id: state.newId(resource) })
  if (kind === 'emergencyReports') state.silent.add(row.id)
  return created({ id: row.id, name: row['name'] ?? null })
}

const folder = (field: string) => () => ({ name: `name-${field}`, [field]: 'folder' })
const EXTRA: Partial<Record<Kind, (visit: Visit) => object>> = {
  emergencyReports: folder('emergencyReportFolderId'),
  safetyMeasures: folder('safetyFolderId'),
  noteLocationAreas: ({ area }) => ({
    locationAreaId: area,
    type: '1',
    openFlag: '1',
    ...folder('noteLocationFolderId')(),
  }),
}

const SAME: Partial<Record<Kind, readonly string[]>> = {
  safetyMeasures: ['requestId', 'workingDate', 'safetyType'],
  customerLocationChangeRequests: ['requestId'],
  locationContactChangeRequests: ['requestId', 'type'],
}

function refusesSecond(state: CrmState, kind: Kind, body: Row): boolean {
  const fields = SAME[kind]
  if (!fields) return false
  return [...state.of(kind).values()].some((row) => fields.every((field) => row[field] === body[field]))
}

function writeReport(state: CrmState, { method, body }: CrmCall, id: string): CrmAnswer {
  if (method === 'POST') {
    const visit = state
      .visitsOfRequest(String(body['requestId']))
      .find(({ workingDate }) => workingDate === body['workingDate'])
    if (!visit) return notFound
    if (reportOf(state, visit)) return refused('ec00011')
    const { requestId, workingDate, inTime } = body
    const blank = { outTime: null, type: null, reason1Id: null, reason2Id: null, reportContent: null }
    const row = { ...blank, requestId, workingDate, inTime, editStatus: 'OK', id: state.newId('qr') }
    state.put('quickReports', row)
    return created({ id: row.id, inTime })
  }
  const ids = id === 'requestUpdate' ? (body['quickReports'] as Row[]).map((row) => row.id) : [id]
  for (const each of ids) {
    const known = state.of('quickReports').get(each)
    if (!known) return notFound
    const { inTime, outTime, type, reason1, reason2, reportContent } = body
    const content = { outTime, type, reason1Id: reason1, reason2Id: reason2, reportContent }
    state.put('quickReports', { ...known, ...content, ...(inTime ? { inTime } : {}) })
  }
  return done
}

/** The CRM's tokens: an access token ends, a refresh token is good for one renewal (crm-contract 2). */
export class CrmTokens {
  private readonly access = new Map<string, { staff: string; until: number }>()
  private readonly refresh = new Map<string, string>()
  private count = 0
  private readonly parts: { now: () => number; lifeMs: number }

  constructor(parts: { now: () => number; lifeMs: number }) {
    this.parts = parts
  }

  issue(staff: string) {
    this.count += 1
    const pair = { accessToken: `a${this.count}`, refreshToken: `r${this.count}` }
    this.access.set(pair.accessToken, { staff, until: this.parts.now() + this.parts.lifeMs })
    this.refresh.set(pair.refreshToken, staff)
    return pair
  }

  staffOf(token: string): string | null {
    const known = this.access.get(token)
    return known && this.parts.now() < known.until ? known.staff : null
  }

  renew(refreshToken: string): CrmAnswer {
    const staff = this.refresh.get(refreshToken)
    this.refresh.delete(refreshToken)
    return staff === undefined ? { status: 401, json: { error: '' } } : ok(this.issue(staff))
  }
}
