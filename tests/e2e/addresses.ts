import { ContactType } from '#schemas/codes.ts'
import { type Crm, freeRequest } from './phone.ts'

/** One address of each screen. */
export async function addressesOf(crm: Crm): Promise<string[]> {
  const { requests, quickReports, today } = await crm.state()
  const { id, workingDate, ttsOrder } = await freeRequest(crm)
  // early in the day nobody of today has reported yet
  const report = quickReports.find((each) => each.workingDate === today) ?? quickReports.at(-1)
  if (!report) throw new Error('no report')
  const [device] = requests.flatMap((row) => (Reflect.get(row, 'device') ?? []) as { deviceId: string }[])
  const day = new URLSearchParams({ workingDate }).toString()
  return [
    '/request',
    `/request/${id}?${day}`,
    `/report/${device?.deviceId}`,
    `/noteLocationArea/${ttsOrder.locationArea.id}?type=1&requestId=${id}&${day}`,
    `/noteLocationArea/add/${id}`,
    `/emergencyReport/${id}?${day}`,
    `/emergencyReport/add/${id}`,
    `/safetyMeasure/select/${id}?workingDateType=1&${day}`,
    `/safetyMeasure/add?requestId=${id}&safetyType=1&${day}`,
    `/customerLocationChangeRequest/add/${id}`,
    `/locationContactChangeRequest/add/${id}/type1`,
    `/quickReport/${report.id}`,
    `/quickReport/add/${report.id}`,
    '/outbox',
    '/settings',
    '/settings/figures',
    '/settings/support',
    '/error-logs',
    '/verify',
    '/not-found',
  ]
}

/** One address of each screen that edits, of records that the CRM lets its user edit, with the heading it comes to. */
export async function editAddressesOf(crm: Crm): Promise<[address: string, heading: string][]> {
  const state = await crm.state()
  const reports = state.quickReports.toReversed()
  const own = reports.find(({ confirmed }) => !confirmed)
  const emergency = state.emergencyReports.find(({ confirmed }) => !confirmed)
  const measure = state.safety.findLast(({ needFlag }) => needFlag === '1')
  const note = state.notes.find(({ type, loginUserId }) => type === '1' && loginUserId === own?.loginUserId)
  const location = state.customerLocationChangeRequests.find(({ confirmed }) => !confirmed)
  const contact = state.locationContactChangeRequests.find(({ confirmed }) => !confirmed)
  return [
    [`/quickReport/${own?.id}/edit`, '退館報告編集'],
    [`/emergencyReport/${emergency?.id}/edit`, '緊急報告編集'],
    [`/safetyMeasure/${measure?.id}/edit`, '安全対策編集'],
    [`/noteLocationArea/${note?.id}/edit`, '現場メモ編集'],
    [`/customerLocationChangeRequest/${location?.id}/edit`, '入館・駐車場情報変更依頼編集'],
    [
      `/locationContactChangeRequest/${contact?.id}/edit/${contact?.type === ContactType.code.entry ? 'type1' : 'type2'}`,
      contact?.type === ContactType.code.entry ? '入館連絡先変更依頼編集' : '退館連絡先変更依頼編集',
    ],
  ]
}
