/** How safety measures travel: made once, never edited (crm-contract 4). */
import { type } from 'arktype'
import { visitKey } from '#schemas/visit-key.ts'
import { listOwners } from '#schemas/prefetch.ts'
import {
  safetyKey,
  safetyMeasureWire,
  type SafetyMeasureContent,
  type SafetyMeasureRecord,
  type SafetyMeasureServer,
} from '#schemas/safety-measure.ts'
import type { RequestRecord } from '#schemas/request.ts'
import { createBody, safetyIdIn, serverFromWire, UNREAD } from '../wire/safety-measure.ts'
import { createAndEdit } from './create-and-edit.ts'
import type { PullResource } from './pull-resource.ts'
import { readRequestRow } from './read-back.ts'

interface Content {
  fields: SafetyMeasureContent
  server: SafetyMeasureServer
}

export const safetyMeasures = createAndEdit<SafetyMeasureRecord, Content>({
  path: 'safety',
  createBody,
  refusesSecond: true,
  async readBack(record, _fields, read) {
    const found = await readRequestRow(read, record.requestId, record.workingDate)
    if (found.kind !== 'row') return found
    const serverId = safetyIdIn(found.row, record)
    return serverId === undefined ? { kind: 'absent' } : { kind: 'ours', serverId }
  },
  unread: UNREAD,
})

/** The measures of the visit's own day: each day has its own row, and a row may name those of other days, too. */
const ofTheDay = ({ detail, workingDate }: RequestRecord) =>
  (detail?.safety ?? []).filter((safety) => (safety.workingDate ?? workingDate) === workingDate)

/** Stamps begin with the time, in milliseconds; the details of a visit keep theirs as a date-time. */
const stampOf = (at: string | undefined) => (at ? String(Date.parse(at)).padStart(13, '0') : '')

const DAY_PART = '_YYYY-MM-DD'.length

export const safetyMeasurePull: PullResource<SafetyMeasureRecord> = {
  source: {
    kind: 'named',
    path: 'safety',
    ids: ({ requests }) => requests.flatMap((request) => ofTheDay(request).map(({ id }) => id)),
    asOf: ({ requests }) => stampOf(requests[0]?.detailConfirmedAt),
  },
  owners: listOwners.safetyMeasures,
  kept: 'lists',
  because: (request) =>
    ofTheDay(request)
      .map(({ id, needFlag }) => `${id} ${needFlag}`)
      .join(),
  localSelector: (visit) => ({
    requestId: visit.slice(0, -DAY_PART),
    workingDate: visit.slice(1 - DAY_PART),
  }),
  ownerOf: ({ requestId, workingDate }) => visitKey(requestId, workingDate),
  one: {
    path: 'safety',
    ownerIn(raw) {
      const wire = safetyMeasureWire(raw)
      return wire instanceof type.errors || wire.workingDate === null
        ? null
        : visitKey(wire.requestId, wire.workingDate)
    },
  },
  row(raw, { owner }) {
    const wire = safetyMeasureWire(raw)
    if (wire instanceof type.errors) return wire
    const { id, safetyType } = wire
    const [requestId, day] = [owner.slice(0, -DAY_PART), owner.slice(1 - DAY_PART)]
    const workingDate = wire.workingDate ?? day
    const key = safetyKey(requestId, workingDate, safetyType)
    const blank = { key, requestId, workingDate, safetyType, changes: [], unsent: 'no' as const }
    return {
      id,
      key,
      record: (local, stamp) => ({
        ...(local ?? blank),
        serverId: id,
        server: { ...serverFromWire(wire), stamp },
      }),
    }
  },
}
