/** Past reports of a machine, newest first; 404 if the machine has none (crm-contract 4). */
import { page, reply, type Handler, type Route } from '#demo-crm/world/call.ts'
import { addDays, atTime, previousMonth } from '#demo-crm/seed/tokyo-day.ts'
import { devicesOf } from '#demo-crm/seed/equipment.ts'
import { hash, pick } from '#demo-crm/seed/hash.ts'
import { areas } from '#demo-crm/seed/locations.ts'
import { others, users } from '#demo-crm/seed/people.ts'

const works: [category: string, detail: string][] = [
  ['点検', '年次点検。絶縁抵抗測定、電流値測定、フロート動作確認。'],
  ['定期点検', '四半期の定期点検。運転音、振動、水漏れの確認。'],
  ['清掃', 'ピット内の汚泥引き抜き、槽内清掃。'],
  ['修理', '満水警報発報のため緊急出動。フロートスイッチの引っ掛かりを解消。'],
  ['取替', '経年劣化のためポンプ本体とガイドパイプを取替。'],
]
const comments = [
  '1号機の電流値が定格の112%。軸受の摩耗を疑う。次回までに分解を推奨。',
  '異常なし。次回は逆止弁の分解清掃を推奨。',
  '制御盤内に結露の跡あり。除湿ヒーターの設置を提案。',
  null,
]
const staff = [...others, ...users.filter((user) => user.userFlag >= 5 && user.userFlag <= 7)]

const emergencyOf = (id: string) => ({
  id: `${id}-e1`,
  emergencyContentsName: '機器面、安全面',
  emergencyContentsDetails: '到着時に満水警報が鳴動。2号機のみで運転を継続し、仮設ポンプを手配しました。',
  riskName: '冠水・水没、状況報告',
  correspondenceDateName: '当日',
  ttsStaffContactName: '連絡済',
})

function reportOf(deviceId: string, nth: number, today: string) {
  const id = `pr-${deviceId}-${nth + 1}`
  const [reportCatName, requestDetail] = pick(works, id)
  const day = addDays(previousMonth(today), -(nth * 61 + (hash(`pd ${id}`) % 40)))
  const who = pick(staff, `ps ${id}`)
  return {
    id,
    workingDate: day,
    reportCatName,
    requestDetail,
    specialComment: pick(comments, `pc ${id}`),
    workingStartTime: atTime(day, '09:00'),
    workingEndTime: atTime(day, '11:30'),
    supplierName: who.company,
    supplierStaffName: who.loginUserName,
    emergencyReport: reportCatName === '修理' ? [emergencyOf(id)] : [],
  }
}

/** Returns the reports of a machine, newest first: 20 to 60 for most machines, few or none for others. */
export function seedPastReports(deviceId: string, today: string) {
  const known = areas.some((area) => devicesOf(area).some((device) => device.deviceId === deviceId))
  if (!known) return []
  const seed = hash(`past ${deviceId}`)
  const count = seed % 4 === 0 ? 0 : seed % 4 === 1 ? 1 + (seed % 5) : 20 + (seed % 41)
  return Array.from({ length: count }, (_, nth) => reportOf(deviceId, nth, today))
}

const list: Handler = ({ params: [deviceId = ''], query }, world) => {
  const reports = seedPastReports(deviceId, world.today)
  return reports.length > 0 ? page(reports, query, (report) => report) : reply.notFound
}

export const pastReportRoutes: Route[] = [{ method: 'GET', path: 'report/:deviceId', handle: list }]
