/** Decides what a code opens: a URL of this app, a 依頼番号, or a machine's requests of today, or else its past reports. */
import { ID_MAX } from '#schemas/limits.ts'
import { isIsoDate } from '#lib/time/tokyo-time.ts'
import { halfWidthAscii, visibleLine, withPlainHyphens } from '#schemas/text.ts'
import type { ListedRequest } from '#data/visits/request-rows.ts'

export type ScanTarget =
  | { kind: 'request'; id: string; workingDate: string | undefined; row: ListedRequest | undefined }
  | { kind: 'device'; deviceId: string; place: string | undefined }

interface Device {
  rows: readonly ListedRequest[]
  /** True for a visit of today and for last night's unfinished visit. */
  isToday: (row: ListedRequest) => boolean
  today: string
  origin: string
}

/** Returns the distinct targets of all codes in a picture. */
export function targetsOf(texts: readonly string[], device: Device): ScanTarget[] {
  const found = new Map(
    texts.flatMap((text) => targetsOfText(text, device)).map((each) => [keyOf(each), each]),
  )
  return [...found.values()]
}

const keyOf = (target: ScanTarget) =>
  target.kind === 'request' ? `request ${target.id}` : `device ${target.deviceId}`

/** Maximum length of a code's text. Longer texts are ignored, because no id or URL of this app is that long. */
const TEXT_MAX = 2_000

function targetsOfText(text: string, device: Device): ScanTarget[] {
  const line = visibleLine(text.slice(0, TEXT_MAX))
  if (line === '' || text.length > TEXT_MAX) return []
  const { origin } = device
  const url = URL.canParse(line) && line.includes('/') ? new URL(line) : null
  if (url) return url.origin === origin ? targetsOfAddress(url, device) : []
  const rows = device.rows.filter(
    ({ id, requestCode }) => isSameCode(id, line) || isSameCode(requestCode, line),
  )
  if (rows.length > 0) return requestsOf(rows, device)
  const deviceId = device.rows.flatMap(({ devices }) => devices).find((each) => isSameCode(each, line))
  return deviceId === undefined ? [] : machineOf(deviceId, device)
}

/** True if two codes differ only in width, case or kind of hyphen. Typed and printed labels vary in these. */
const isSameCode = (one: string, other: string) => plain(one) === plain(other)
const plain = (code: string) => withPlainHyphens(halfWidthAscii(code)).toUpperCase()

const ADDRESS = /^\/(request|report)\/([^/]+)\/?$/

function targetsOfAddress({ pathname, searchParams }: URL, device: Device): ScanTarget[] {
  const [, kind, part = ''] = ADDRESS.exec(pathname) ?? []
  const id = decoded(part)
  if (kind === undefined || id === '' || id.length > ID_MAX) return []
  if (kind === 'report') return machineOf(id, device)
  const day = searchParams.get('workingDate') ?? ''
  const rows = device.rows.filter((row) => row.id === id)
  const ofDay = rows.filter(({ workingDate }) => workingDate === day)
  const found = requestsOf(ofDay.length > 0 ? ofDay : rows, device)
  if (found.length > 0) return found
  return [{ kind: 'request', id, workingDate: isIsoDate(day) ? day : undefined, row: undefined }]
}

function decoded(part: string): string {
  try {
    return visibleLine(decodeURIComponent(part))
  } catch {
    return ''
  }
}

function machineOf(deviceId: string, device: Device): ScanTarget[] {
  const rows = device.rows.filter(({ devices }) => devices.includes(deviceId))
  const ofToday = requestsOf(rows.filter(device.isToday), device)
  return ofToday.length > 0 ? ofToday : [{ kind: 'device', deviceId, place: rows[0]?.locationName }]
}

function requestsOf(rows: readonly ListedRequest[], { isToday, today }: Device): ScanTarget[] {
  const ids = new Set(rows.map(({ id }) => id))
  return [...ids].map((id) => {
    const visits = rows.filter((row) => row.id === id).toSorted((a, b) => (a.sortKey < b.sortKey ? -1 : 1))
    const row = visits.find(isToday) ?? visits.find(({ workingDate }) => workingDate > today) ?? visits.at(-1)
    return { kind: 'request', id, workingDate: row?.workingDate, row }
  })
}
