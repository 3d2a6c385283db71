import { type Crm, freeRequest } from './phone.ts'

/** One address of each screen. */
export async function addressesOf(crm: Crm): Promise<string[]> {
  const { requests, today } = await crm.state()
  const { id, workingDate, ttsOrder } = await freeRequest(crm)
  const reported = requests.find((row) => row.workingDate === today && row.quickReport)
  const reportId = String(Reflect.get(reported?.quickReport ?? {}, 'id'))
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
    `/safetyMeasure/select/${id}?${day}`,
    `/safetyMeasure/add?requestId=${id}&safetyType=1&${day}`,
    `/customerLocationChangeRequest/add/${id}`,
    `/locationContactChangeRequest/add/${id}/type1`,
    `/quickReport/${reportId}`,
    `/quickReport/add/${reportId}`,
    '/outbox',
    '/settings',
    '/settings/figures',
    '/settings/support',
    '/error-logs',
    '/not-found',
  ]
}
