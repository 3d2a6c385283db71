/** What is true of a phone that is online and quiet: it has what the CRM has, and nothing else (RULES PL1, PL4, EX1). */
import { entriesOf, queueOf } from '#schemas/changes/change-queue.ts'
import { prefetchKeys } from '#schemas/collections/prefetch.ts'
import type { RequestRecord } from '#schemas/resources/request.ts'
import { tokyoDay } from '#schemas/instant.ts'
import { reportOf } from './crm-rows.ts'
import { visitName, type CrmState, type Kind, type Row, type Visit } from './crm-state.ts'
import { rowsOn, type OnDisk } from './on-disk.ts'
import type { StoredDoc } from './stored-doc.ts'
import type { Watched } from './watched.ts'
import type { PullWitness } from './witness.ts'

const HOUR_MS = 3_600_000

interface Looked {
  phone: Watched
  state: CrmState
  witness: PullWitness
  now: number
}

interface Parts extends Looked {
  /** The CRM says how late it is, or a page was open all the time; and the clock was never set back. */
  isTimeBorneOut: boolean
}

/** The visits of the window, as this user has them. */
const windowOf = ({ phone, state, now }: Looked): Visit[] => {
  const [from, to] = [tokyoDay(now, -1), tokyoDay(now, 14)]
  return state.visitsOf(phone.user.staff).filter(({ workingDate: day }) => day >= from && day <= to)
}

export function checkAtRest(parts: Parts): void {
  const visits = windowOf(parts)
  checkDrafts(parts)
  checkUnsent(parts)
  checkPhotos(parts)
  const requests = new Map(rowsOn(parts.phone.disk(), 'requests').map((row) => [row.key, row]))
  checkRequests(parts, visits, requests)
  checkReports(parts, visits)
  const ids = new Set(visits.map(({ id }) => id))
  const planned = new Set(visits.map(visitName))
  const areas = new Set(visits.map(({ area }) => area))
  // its notes may be asked for through a request that a draft holds here and the CRM no longer has
  for (const row of requests.values()) if (!planned.has(row.key)) areas.delete(row.locationAreaId ?? '')
  const devices = new Set(visits.flatMap((visit) => visit.devices))
  checkList(parts, 'emergencyReports', 'emergencyContentsDetails', ({ requestId }) =>
    ids.has(String(requestId)),
  )
  checkList(parts, 'customerLocationChangeRequests', 'inMethod', ({ requestId }) =>
    ids.has(String(requestId)),
  )
  checkList(parts, 'locationContactChangeRequests', 'name', ({ requestId }) => ids.has(String(requestId)))
  checkList(parts, 'noteLocationAreas', 'note', ({ locationAreaId }) => areas.has(String(locationAreaId)))
  checkList(parts, 'pastReports', 'specialComment', ({ deviceId }) => devices.has(String(deviceId)))
  checkList(parts, 'supplierStaff', 'name', ({ supplierId }) => supplierId === parts.phone.user.supplier)
  checkSafety(parts, visits)
  checkMarks(parts, [...requests.values()], planned)
}

/** Nobody has touched them for a day that the phone has seen: it begins with the first answer after a phone was off (EX1, EX3). */
function checkDrafts({ phone, witness }: Parts) {
  for (const { key } of rowsOn(phone.disk(), 'drafts'))
    if (witness.draftAge(phone, key) > 50 * HOUR_MS)
      witness.broken('EX1', `${phone.name} has the draft ${key} for over two days`)
}

/** What was saved is in the CRM, or says why it is not (SV2): nothing has been in the way for minutes. */
function checkUnsent({ phone, witness }: Parts) {
  const disk = phone.disk()
  const records = pushed.flatMap((resource) => rowsOn(disk, resource).map((row) => ({ ...row, resource })))
  for (const { state, blockedBy, change, record } of queueOf(records, entriesOf(records)))
    if ((state === 'waiting' || state === 'sending') && !blockedBy)
      witness.broken('SV2', `${phone.name} ${record.resource} ${change.kind} ${change.id} still waits`)
}

/** What a screen asked for of a photo is there, or is said to have failed (PL9). */
function checkPhotos({ phone, witness }: Parts) {
  for (const { key, bytesAsked } of rowsOn(phone.disk(), 'photos'))
    if (bytesAsked === 'yes')
      witness.broken('PL9', `${phone.name} photo ${key}: its bytes are still asked for`)
}

/**
 * Whether a phone is to know of it: what changed and no row tells is read with what is in the list of today, and tomorrow's,
 * where the user asks for everything. What a night has made the past of is up to a week old (RULES PL5).
 * @param of whose it is
 */
function isTold({ state, now }: Parts, name: string, of: readonly Visit[]): boolean {
  const days = [tokyoDay(now), tokyoDay(now, 1)]
  const carried = tokyoDay(now - 12 * HOUR_MS)
  const isNear = (visit: Visit) =>
    days.includes(visit.workingDate) ||
    (visit.workingDate === carried && !reportOf(state, visit)?.['outTime'])
  return !state.silent.has(name) || of.some(isNear)
}

/** What a full disk refused is there once there is room, as the CRM has it, before anybody asks for it (ST4). */
export function checkRefused(parts: Looked, refused: ReadonlySet<string>): void {
  const { phone, witness } = parts
  const requests = new Map(rowsOn(phone.disk(), 'requests').map((row) => [row.key, row]))
  for (const visit of windowOf(parts)) {
    const name = visitName(visit)
    if (refused.has(name) && requests.get(name)?.situation !== visit.situation)
      witness.broken('ST4', `${phone.name} lacks request ${name}, which a full disk refused, minutes after`)
  }
}

function checkRequests(parts: Parts, visits: Visit[], requests: Map<string, OnDisk<'requests'>>) {
  const { phone, witness, now } = parts
  for (const visit of visits) {
    const name = visitName(visit)
    const row = requests.get(name)
    if (!row) witness.broken('PL4', `${phone.name} lacks request ${name}`)
    else if (row.situation !== visit.situation)
      witness.broken('PL5', `${phone.name} request ${name} says ${row.situation}, the CRM ${visit.situation}`)
    else if (isTold(parts, name, [visit]) && row.detail?.goods[0]?.name !== visit.goods)
      witness.broken(
        'PL5',
        `${phone.name} details of ${name} say ${row.detail?.goods[0]?.name}, the CRM ${visit.goods}`,
      )
  }
  const planned = new Set(visits.map(visitName))
  const [from, to] = [tokyoDay(now, -1), tokyoDay(now, 14)]
  const kept = dependents(phone)
  for (const row of requests.values()) {
    if (planned.has(row.key) || kept.has(row.id)) continue
    const isInWindow = row.workingDate >= from && row.workingDate <= to
    const served = witness.servedAt(phone, 'request', `${phone.user.staff} ${row.key}`)
    if (isInWindow) witness.broken('PL1', `${phone.name} still has request ${row.key}`)
    // by the device's clock alone it is not deleted (RULES EX3)
    else if (parts.isTimeBorneOut && !witness.wasAhead(phone, row.key) && now - served > 24.5 * HOUR_MS)
      witness.broken('EX1', `${phone.name} has request ${row.key} for over a day`)
  }
}

/** Requests that something unsent or a draft hangs on. */
export function dependents(phone: Watched): Set<string> {
  const disk = phone.disk()
  const unsent = pushed.flatMap((name) =>
    rowsOn(disk, name).flatMap(({ requestId, changes }) => (changes.length > 0 ? [requestId] : [])),
  )
  // one that the file store has may stay unsent for hours, where a full disk took nothing of its answer
  const photos = rowsOn(disk, 'photos').flatMap((row) => (row.unsent === 'yes' ? [row.requestId] : []))
  const drafts = rowsOn(disk, 'drafts').flatMap(({ key }) => key.split('/'))
  return new Set([...unsent, ...photos, ...drafts])
}
const pushed = [
  'quickReports',
  'emergencyReports',
  'safetyMeasures',
  'customerLocationChangeRequests',
  'locationContactChangeRequests',
  'noteLocationAreas',
] as const

function checkReports({ phone, state, witness }: Parts, visits: Visit[]) {
  const known = new Map(rowsOn(phone.disk(), 'quickReports').map((row) => [row.key, row]))
  for (const visit of visits) {
    const report = reportOf(state, visit)
    const here = known.get(visitName(visit))
    if (here && here.changes.length > 0) continue
    if (!report && here?.server)
      witness.broken('PL1', `${phone.name} still has a report of ${visitName(visit)}`)
    if (!report) continue
    const said = here?.server
    const same = (field: 'inTime' | 'outTime') =>
      Date.parse(said?.[field] ?? '1970') === Date.parse((report[field] as string | null) ?? '1970')
    if (!said || here.serverId !== report.id || !same('inTime') || !same('outTime'))
      witness.broken('PL5', `${phone.name} report of ${visitName(visit)}: not as the CRM has it`)
    else if (report['outTime'] && (said.reportContent ?? null) !== (report['reportContent'] ?? null))
      witness.broken(
        'PL5',
        `${phone.name} report of ${visitName(visit)} says ${said.reportContent}, the CRM ${String(report['reportContent'])}`,
      )
  }
}

type Listed = Exclude<Kind, 'request' | 'quickReports' | 'safetyMeasures'>

function checkList(parts: Parts, kind: Listed, text: string, isMine: (row: Row) => boolean) {
  const { phone, state, witness } = parts
  const isOwed = (row: Row) =>
    isMine(row) && isTold(parts, row.id, state.visitsOfRequest(String(row['requestId'])))
  const rows: (StoredDoc & { key: string })[] = rowsOn(phone.disk(), kind)
  const idOf = (row: StoredDoc) => String(row['serverId'] ?? row['id'] ?? row['key'])
  const isSaved = (row: StoredDoc) => Array.isArray(row['changes']) && row['changes'].length > 0
  const here = new Map(rows.map((row) => [idOf(row), row]))
  for (const row of state.of(kind).values()) {
    if (!isOwed(row)) continue
    const known = here.get(row.id)
    if (known && isSaved(known)) continue
    const said = known && ((known['server'] as Record<string, unknown> | undefined) ?? known)[text]
    if (!known) witness.broken('PL4', `${phone.name} lacks ${kind} ${row.id}`)
    else if ((said ?? null) !== (row[text] ?? null))
      witness.broken(
        'PL5',
        `${phone.name} ${kind} ${row.id} says ${String(said)}, the CRM ${String(row[text])}`,
      )
  }
  for (const row of rows)
    if (
      !isSaved(row) &&
      idOf(row) !== '' &&
      !state.of(kind).has(idOf(row)) &&
      isOwed({ ...row, id: idOf(row) })
    )
      witness.broken('PL1', `${phone.name} still has ${kind} ${idOf(row)}`)
}

function checkSafety({ phone, state, witness }: Parts, visits: Visit[]) {
  const rows = rowsOn(phone.disk(), 'safetyMeasures')
  const names = new Set(visits.map(visitName))
  for (const { id, requestId, workingDate } of state.of('safetyMeasures').values()) {
    const name = `${String(requestId)}_${String(workingDate)}`
    if (names.has(name) && !rows.some((row) => row.serverId === id || row.changes.length > 0))
      witness.broken('PL4', `${phone.name} lacks safetyMeasures ${id}`)
  }
}

/** A request of the window can be used offline: every list of it was read, and is said to be there. */
function checkMarks({ phone, witness }: Parts, requests: RequestRecord[], planned: ReadonlySet<string>) {
  const marks = new Set(rowsOn(phone.disk(), 'interests').map(({ key }) => key))
  for (const request of requests)
    if (planned.has(request.key) && request.detail)
      for (const key of prefetchKeys(request))
        if (!marks.has(key)) witness.broken('PL4', `${phone.name} ${request.key}: ${key} was never read`)
}
