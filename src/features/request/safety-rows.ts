import { SafetyType } from '#schemas/codes.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { safetyNames } from '#data/request-facts.ts'

export interface SafetyRow {
  /** Safety type code. */
  type: string
  /** The need flag of the record there is for this working day, null where there is none. */
  need: string | null
}

const { underPit, oxygen, height, standingParking, entanglement } = SafetyType.code
/** The order in which safety types appear (spec 4). */
const ORDER = [underPit, oxygen, height, standingParking, entanglement]

/** The safety types a request names, each with what is registered for its day. */
export function safetyRows(request: RequestRecord): SafetyRow[] {
  const names = safetyNames(request)
  return ORDER.filter((type) => names.includes(SafetyType.label(type))).map((type) => {
    const record = request.detail?.safety.find(
      ({ safetyType, workingDate }) =>
        safetyType === type && (workingDate === null || workingDate === request.workingDate),
    )
    return { type, need: record ? (record.needFlag ?? '') : null }
  })
}
