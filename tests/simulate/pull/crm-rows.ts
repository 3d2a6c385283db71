/** The CRM's state as the contract words it (crm-contract 4). */
import { visitName, type CrmState, type Row, type Visit } from './crm-state.ts'

const registered = (row: Row | undefined) => (row ? '2' : '1')
const refOf = (row: Row | undefined) => (row ? { id: row.id } : null)

/** `quickReport` inside a request row. */
const summaryOf = ({ id, inTime, outTime, type, editStatus }: Row) => ({
  id,
  inTime,
  outTime,
  type,
  editStatus,
})

export function reportOf(state: CrmState, visit: Visit): Row | undefined {
  return state
    .recordsOf('quickReports', 'requestId', visit.id)
    .find((row) => row['workingDate'] === visit.workingDate)
}

/** A row of `request/search`. */
export function rowOf(state: CrmState, visit: Visit) {
  const { id, workingDate, area, situation } = visit
  const [parking] = state.recordsOf('customerLocationChangeRequests', 'requestId', id)
  const contacts = state.recordsOf('locationContactChangeRequests', 'requestId', id)
  const [entry, exit] = ['02', '03'].map((type) => contacts.find((row) => row['type'] === type))
  const report = reportOf(state, visit)
  const notes = state.recordsOf('noteLocationAreas', 'locationAreaId', area)
  const safety = safetyOf(state, visit)
  return {
    id,
    requestCode: `R-${id}`,
    workingDate,
    workingDateType: '1',
    workingStartTime: `${workingDate}T09:00:00+09:00`,
    workingEndTime: `${workingDate}T12:00:00+09:00`,
    situation,
    inLocationContactChangeStatus: registered(entry),
    outLocationContactChangeStatus: registered(exit),
    inLocationContactChangeRequest: refOf(entry),
    outLocationContactChangeRequest: refOf(exit),
    customerLocationChangeStatus: registered(parking),
    customerLocationChangeRequest: refOf(parking),
    noteLocationAreaStatus: notes.length > 0 ? '2' : '1',
    noteLocationAreaCount: notes.length,
    safetyStatus: safety.length > 0 ? '2' : '1',
    quickReport: report ? summaryOf(report) : null,
    inLocationContact: { name: `窓口 ${area}`, class: '1', tel1: '03-5550-0100' },
    ttsOrder: {
      orderFlag: '1',
      emergencyFlag: '0',
      locationArea: { id: area, name: area },
      customer: { name: `客 ${area}`, prefectureName: '東京都', city: '千代田区', address1: '1-1' },
    },
  }
}

const safetyOf = (state: CrmState, { id, workingDate }: Visit) =>
  state.recordsOf('safetyMeasures', 'requestId', id).filter((row) => row['workingDate'] === workingDate)

/** `request/{id}` of one day. */
export const wholeOf = (state: CrmState, visit: Visit) => ({
  ...rowOf(state, visit),
  goods: [
    { id: `g-${visitName(visit)}`, name: visit.goods, goodsDetail: [{ id: 'd1', itemName: visit.goods }] },
  ],
  device: visit.devices.map((deviceId) => ({ deviceId, deviceModel: 'M', site1: 'A', site2: '1' })),
  safety: safetyOf(state, visit).map(({ id, needFlag, safetyType, workingDate }) => ({
    id,
    needFlag,
    safetyType,
    workingDate,
  })),
  underPitSurvey: visit.devices.map((site) => ({ site, depth: '1', hatch: '1' })),
})
