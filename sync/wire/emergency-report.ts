/** Emergency reports between device and CRM (crm-contract 4): pure mappings. */
import type {
  EmergencyReportContent,
  EmergencyReportRecord,
  EmergencyReportServer,
  EmergencyReportWire,
} from '#schemas/emergency-report.ts'
import { nullsFor, orNull } from './fields.ts'
import { sameInstant } from './quick-report.ts'

const codesOf = (text: string | null | undefined) =>
  (text ?? '')
    .split(',')
    .map((code) => code.trim())
    .filter(Boolean)

/** Body of `POST emergencyReport/`, and of its `PUT`, which has the same fields: absent is null there (crm-contract 2, 4). */
export const contentBody = (
  { requestId, workingDate }: EmergencyReportRecord,
  { emergencyContents, risk, ...others }: EmergencyReportContent,
  loginUserId: string,
) => ({
  requestId,
  workingDate,
  ...nullsFor(others),
  emergencyContents: emergencyContents.join(','),
  risk: risk.join(','),
  loginUserId,
})

/** A row of the list → the server's state. */
export const serverFromWire = (wire: EmergencyReportWire): Omit<EmergencyReportServer, 'stamp'> => ({
  id: wire.id,
  detailed: true,
  workingStartTime: orNull(wire.workingStartTime),
  workingEndTime: orNull(wire.workingEndTime),
  emergencyContents: codesOf(wire.emergencyContents),
  risk: codesOf(wire.risk),
  correspondenceDate: orNull(wire.correspondenceDate),
  ttsStaffContact: orNull(wire.ttsStaffContact),
  emergencyContentsDetails: orNull(wire.emergencyContentsDetails),
  editStatus: orNull(wire.editStatus),
  createdAt: orNull(wire.createdAt),
  filePath: orNull(wire.filePath),
  name: orNull(wire.name),
  emergencyReportFolderId: orNull(wire.emergencyReportFolderId),
})

/** Fields that only the CRM knows, before it was read. */
export const UNREAD = {
  editStatus: null,
  createdAt: null,
  filePath: null,
  name: null,
  emergencyReportFolderId: null,
}

const sameSet = (a: readonly string[], b: readonly string[]) =>
  JSON.stringify(a.toSorted()) === JSON.stringify(b.toSorted())

/** What the read leaves out says nothing against it. */
const told = <T>(value: T | null, same: (value: T) => boolean) => value === null || same(value)

/** Whether every sent field that a row returns is equal (crm-contract 4, reading back). */
export function isOurs(
  { requestId, workingDate }: Pick<EmergencyReportRecord, 'requestId' | 'workingDate'>,
  sent: EmergencyReportContent,
  wire: EmergencyReportWire,
): boolean {
  const read = serverFromWire(wire)
  return (
    wire.requestId === requestId &&
    told(orNull(wire.workingDate), (day) => day === workingDate) &&
    told(read.workingStartTime, (time) => sameInstant(time, sent.workingStartTime)) &&
    told(read.workingEndTime, (time) => sameInstant(time, sent.workingEndTime)) &&
    sameSet(read.emergencyContents, sent.emergencyContents) &&
    sameSet(read.risk, sent.risk) &&
    told(read.correspondenceDate, (code) => code === sent.correspondenceDate) &&
    told(read.ttsStaffContact, (code) => code === sent.ttsStaffContact) &&
    told(read.emergencyContentsDetails, (text) => text === sent.emergencyContentsDetails)
  )
}
