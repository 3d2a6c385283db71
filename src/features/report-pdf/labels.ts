/** The QR labels for a place's machines: their content, and the A4 sheets on which they are printed. */
import { map, of, switchMap, type Observable } from 'rxjs'
import type { RequestRecord } from '#schemas/resources/request.ts'
import type { Database } from '#data/database/database.ts'
import { requestRows$ } from '#data/visits/request-rows.ts'
import type { Sheets } from './pdf/sheets.ts'
import type { Steps } from './work-report.ts'

export interface Label {
  /** The URL in the QR code: the machine's 過去報告. */
  address: string
  lines: readonly string[]
}

export interface LabelSheet {
  title: string
  labels: readonly Label[]
}

/** Emits one label for each machine at the place of a request, sorted by id. */
export function labelsOf$(
  db: Database,
  { key, locationAreaId }: RequestRecord,
  origin: string,
): Observable<Label[]> {
  return requestRows$(db).pipe(
    map(({ rows }) =>
      rows.filter(
        (row) => row.key === key || (locationAreaId !== null && row.locationAreaId === locationAreaId),
      ),
    ),
    switchMap((rows) =>
      rows.length === 0 ? of(new Map()) : db.requests.findByIds(rows.map((row) => row.key)).$,
    ),
    map((docs: ReadonlyMap<string, RequestRecord>) => labelsOf([...docs.values()], origin)),
  )
}

export function labelsOf(requests: readonly RequestRecord[], origin: string): Label[] {
  const devices = new Map(
    requests.flatMap(({ detail, locationName }) =>
      (detail?.devices ?? []).map((device) => [device.deviceId, { ...device, locationName }]),
    ),
  )
  return [...devices.values()]
    .toSorted((a, b) => (a.deviceId < b.deviceId ? -1 : 1))
    .map(({ deviceId, deviceModel, site1, site2, locationName }) => ({
      address: `${origin}/report/${encodeURIComponent(deviceId)}`,
      lines: [deviceModel, [site1, site2].filter(Boolean).join(' '), locationName, deviceId].filter(
        (line): line is string => Boolean(line),
      ),
    }))
}

/** Draws the labels and returns them as a PDF. @throws the signal's reason once it is aborted */
export async function drawLabels({ title, labels }: LabelSheet, sheets: Sheets, drawing: Steps) {
  for (const [index, label] of labels.entries()) {
    drawing.signal.throwIfAborted()
    sheets.label({ ...label, at: index })
    drawing.onProgress((index + 1) / labels.length)
    await drawing.breathe()
  }
  return sheets.finish(title, null, drawing.breathe)
}
