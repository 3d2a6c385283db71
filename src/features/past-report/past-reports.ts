/** Past reports as their screen shows them: pure. */
import type { PastReportRecord } from '#schemas/past-report.ts'
import type { RequestRecord } from '#schemas/request.ts'

const turn = ({ workingDate, workingStartTime, id }: PastReportRecord) =>
  `${workingDate} ${workingStartTime ?? ''} ${id}`

/** Newest first; of one day the later visit first. */
export const newestFirst = (reports: readonly PastReportRecord[]): PastReportRecord[] =>
  reports.toSorted((a, b) => (turn(a) > turn(b) ? -1 : 1))

export interface DeviceFacts {
  model: string
  /** Where it stands: ベイサイド東雲 A棟 地下ピット, 1号機 */
  place: string
}

/** The device as far as this request names it. */
export function deviceFacts(
  deviceId: string,
  { detail, locationName }: Pick<RequestRecord, 'detail' | 'locationName'>,
): DeviceFacts | null {
  const device = detail?.devices.find((each) => each.deviceId === deviceId)
  if (!device) return null
  const place = [device.site1 || locationName, device.site2].filter(Boolean).join('　')
  return { model: device.deviceModel ?? deviceId, place }
}
