/** A form with photos: what is taken into its draft, and the record that it makes. */
import type { RequestRecord } from '#schemas/request.ts'
import { addDraftPhoto } from '#data/drafts.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import type { Device } from './device.ts'
import { jpeg, sha256 } from './photos.ts'
import { EMERGENCY } from './record-saves.ts'
import { nth, type Replication } from './replication.ts'

export const KEY = 'emergencyReport/add/r1'

export const saverOf = (device: Device) => ({ ...device.saver(), bytes: device.bytes })

/** A photo as the form takes it. */
export async function take(device: Device, photoKey: string, seed: number) {
  const bytes = jpeg(seed)
  const photo = {
    key: photoKey,
    name: `${photoKey}.jpg`,
    placeInfo: '',
    takenAt: '2026-11-20T10:00:00+09:00',
  }
  const known = { ...photo, size: bytes.byteLength, type: 'image/jpeg' as const }
  await addDraftPhoto(device, KEY, known, { bytes, thumb: undefined })
  return sha256(bytes)
}

export const targetOf = (request: RequestRecord, recordKey: string) => ({
  resource: 'emergencyReports',
  recordKey,
  requestId: request.id,
  workingDate: request.workingDate,
})

export const write = (device: Device, request: RequestRecord, recordKey: string) =>
  saveEmergencyReport(device.saver(), request, EMERGENCY, null, recordKey)

/** A request on the device, then no signal. */
export async function underground(app: Replication) {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  return { device, request }
}
