/** Safety measures between device and CRM (crm-contract 4): pure mappings. */
import type { RequestWire } from '#schemas/request.ts'
import type {
  SafetyMeasureContent,
  SafetyMeasureRecord,
  SafetyMeasureServer,
  SafetyMeasureWire,
} from '#schemas/safety-measure.ts'
import { nullsFor, orNull } from './fields.ts'

/** Body of `POST safety/`. */
export const createBody = (
  { requestId, workingDate, safetyType }: SafetyMeasureRecord,
  fields: SafetyMeasureContent,
  loginUserId: string,
) => ({ requestId, workingDate, safetyType, ...nullsFor(fields), loginUserId })

export const serverFromWire = (wire: SafetyMeasureWire): Omit<SafetyMeasureServer, 'stamp'> => ({
  id: wire.id,
  detailed: true,
  needFlag: orNull(wire.needFlag),
  workingStartTime: orNull(wire.workingStartTime),
  workingEndTime: orNull(wire.workingEndTime),
  createdAt: orNull(wire.createdAt),
  createdDisplayName: orNull(wire.createdDisplayName),
  filePath: orNull(wire.filePath),
  name: orNull(wire.name),
  safetyFolderId: orNull(wire.safetyFolderId),
})

/** Fields that only the CRM knows, before it was read. */
export const UNREAD = {
  createdAt: null,
  createdDisplayName: null,
  filePath: null,
  name: null,
  safetyFolderId: null,
}

/** The id of this day's measure of this type in a request's row (crm-contract 4, reading back). */
export const safetyIdIn = (
  row: RequestWire,
  { workingDate, safetyType }: Pick<SafetyMeasureRecord, 'workingDate' | 'safetyType'>,
): string | undefined =>
  row.safety?.find(
    (safety) => safety.safetyType === safetyType && (safety.workingDate ?? row.workingDate) === workingDate,
  )?.id
