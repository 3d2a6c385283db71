/** Safety measures are created once and never edited: the declaration has no edit (crm-contract 4). */
import { wireOf } from '#schemas/declare/derive.ts'
import { listOwners, measuresOfTheDay, namedIds } from '#schemas/collections/prefetch.ts'
import type { RequestWire } from '#schemas/resources/request.ts'
import { safetyKey, safetyMeasure, type SafetyMeasureRecord } from '#schemas/resources/safety-measure.ts'
import { visitIn, visitKey } from '#schemas/resources/visit-key.ts'
import { createAndEdit, declaredRow } from './declared-resource.ts'
import { ownerInRow, readRequestRow, type PullResource } from './resource.ts'

export const safetyMeasures = createAndEdit(safetyMeasure, async (record, { needFlag }, read) => {
  const found = await readRequestRow(read, record.requestId, record.workingDate)
  if (found.kind !== 'row') return found
  const serverId = safetyIdIn(found.row, record, needFlag)
  return serverId === undefined ? { kind: 'absent' } : { kind: 'ours', serverId }
})

/**
 * Id of the measure of this day and type in a request's row (crm-contract 4). With the opposite of 要 or 不要 it is of
 * another device, and taking it for ours would lose the local save (RULES SV2).
 */
export const safetyIdIn = (
  row: RequestWire,
  { workingDate, safetyType }: Pick<SafetyMeasureRecord, 'workingDate' | 'safetyType'>,
  needFlag: string | null,
): string | undefined =>
  row.safety?.find(
    (safety) =>
      safety.safetyType === safetyType &&
      (safety.workingDate ?? row.workingDate) === workingDate &&
      (safety.needFlag ?? needFlag) === needFlag,
  )?.id

/** Converts the time of a read to a stamp, which begins with the milliseconds since 1970. */
const stampOf = (dateTime: string | undefined) =>
  dateTime ? String(Date.parse(dateTime)).padStart(13, '0') : ''

/** Request and day of the visit that a list of measures belongs to. */
const visitOf = (owner: string) => visitIn(owner) ?? { requestId: owner, workingDate: '' }

const wire = wireOf(safetyMeasure)

export const safetyMeasurePull: PullResource<SafetyMeasureRecord> = {
  source: {
    kind: 'named',
    path: 'safety',
    ids: ({ requests }) => requests.flatMap(namedIds.safetyMeasures),
    // The ids of measures are in the request's details.
    asOf: ({ requests }) => stampOf(requests[0]?.detailConfirmedAt),
  },
  owners: listOwners.safetyMeasures,
  lifetime: 'lists',
  basis: (request) =>
    measuresOfTheDay(request)
      .map(({ id, needFlag }) => `${id} ${needFlag}`)
      .join(),
  localSelector(owner) {
    const { requestId, workingDate } = visitOf(owner)
    return { requestId, workingDate }
  },
  ownerOf: ({ requestId, workingDate }) => visitKey(requestId, workingDate),
  one: {
    path: 'safety',
    ownerIn: ownerInRow(wire, ({ requestId, workingDate }) =>
      workingDate ? visitKey(requestId, workingDate) : null,
    ),
  },
  row: declaredRow(safetyMeasure, ({ safetyType, workingDate: dayOfRow }, { owner }) => {
    const { requestId, workingDate: dayOfVisit } = visitOf(owner)
    // A row without a day is of the visit's day.
    const workingDate = dayOfRow ?? dayOfVisit
    const key = safetyKey(requestId, workingDate, safetyType)
    return { blank: { key, requestId, workingDate, safetyType } }
  }),
}
