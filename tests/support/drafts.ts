/** A form with photos: what is taken into its draft, and the record that it makes. */
import type { RequestRecord } from '#schemas/resources/request.ts'
import { noting, type Saver } from '#data/changes/changes.ts'
import { addDraftPhoto, draftOf } from '#data/drafts/drafts.ts'
import { saveDraft, type DraftTarget } from '#data/drafts/save-draft.ts'
import { saveEmergencyReport } from '#features/emergency-report/commands.ts'
import type { Device } from './device.ts'
import { jpeg, sha256 } from './photos.ts'
import { EMERGENCY } from './record-saves.ts'
import { nth, type Replication } from './replication.ts'

export const KEY = 'emergencyReport/add/r1'

export const saverOf = (device: Device) => ({ ...noting(device.saver()).saver, bytes: device.bytes })

/** What ends a save in a test. */
export const CRASH = new Error('crash')

/**
 * What is in the draft is saved as its form does it.
 * @param stamps so many changes and photos are written before it is cut short
 */
export async function saveForm<T>(
  device: Device,
  key: string,
  target: DraftTarget | null,
  write: (saver: Saver) => Promise<T>,
  stamps = Infinity,
): Promise<T> {
  const typed = (await draftOf(device.db, key))?.values
  const values = typed ? (JSON.parse(typed) as object) : {}
  const saver = saverOf(device)
  let left = stamps
  const stamp = () => {
    left -= 1
    if (left < 0) throw CRASH
    return saver.clock.stamp()
  }
  const own = { ...saver, clock: { ...saver.clock, stamp } }
  return saveDraft(own, { key, values, kept: Promise.resolve() }, target, () => write(own))
}

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

export const write = (saver: Saver, request: RequestRecord, recordKey: string) =>
  saveEmergencyReport(saver, request, EMERGENCY, null, recordKey)

/** A request on the device, then no signal. */
export async function underground(app: Replication) {
  const device = await app.open()
  const request = nth(await app.freeRequests(device), 0)
  device.network.next(false)
  return { device, request }
}
