/**
 * The resources that need more than their declaration (crm-contract 4): change requests about entry and parking, and about
 * the contacts for entry and exit, named in a request's row; notes of a location; safety measures.
 */
import { ContactType, RegistrationStatus, NoteType } from '#schemas/codes.ts'
import { listOwners, namedIds, measuresOfTheDay } from '#schemas/collections/prefetch.ts'
import {
  customerLocationChangeRequest,
  type CustomerLocationRecord,
} from '#schemas/resources/customer-location-change-request.ts'
import {
  contactChangeKey,
  locationContactChangeRequest,
  type ContactChangeRecord,
} from '#schemas/resources/location-contact-change-request.ts'
import { createAndEdit, declaredRow, listPath } from './declared-resource.ts'
import {
  namedSource,
  newestOf,
  ofOneRequest,
  readNamed,
  type PullResource,
  findOurs,
  ownerInRow,
  readRequestRow,
} from './resource.ts'
import { wireOf } from '#schemas/declare/derive.ts'
import { PAGE_SIZE } from '#schemas/limits.ts'
import { noteLocationArea, type NoteRecord } from '#schemas/resources/note-location-area.ts'
import { isOurs } from '#sync/wire/declared.ts'
import type { RequestWire } from '#schemas/resources/request.ts'
import { safetyKey, safetyMeasure, type SafetyMeasureRecord } from '#schemas/resources/safety-measure.ts'
import { visitIn, visitKey } from '#schemas/resources/visit-key.ts'

type Named = { id: string } | null | undefined

/** The id that a request's row names; undefined if it is not registered. */
const registeredId = (status: string | null | undefined, named: Named) =>
  status === RegistrationStatus.code.registered ? named?.id : undefined

export const customerLocationChangeRequests = createAndEdit(
  customerLocationChangeRequest,
  (record, fields, read) =>
    readNamed(read, customerLocationChangeRequest, record, fields, (row) =>
      registeredId(row.customerLocationChangeStatus, row.customerLocationChangeRequest),
    ),
)

export const customerLocationPull: PullResource<CustomerLocationRecord> = {
  ...ofOneRequest(customerLocationChangeRequest.path),
  source: namedSource(customerLocationChangeRequest.path, namedIds.customerLocationChangeRequests),
  owners: listOwners.customerLocationChangeRequests,
  row: declaredRow(customerLocationChangeRequest, (_, { owner: requestId }) => ({
    blank: { key: requestId, requestId, workingDate: '' },
  })),
}

export const locationContactChangeRequests = createAndEdit(
  locationContactChangeRequest,
  (record, fields, read) =>
    readNamed(read, locationContactChangeRequest, record, fields, (row) =>
      record.contactType === ContactType.code.entry
        ? registeredId(row.inLocationContactChangeStatus, row.inLocationContactChangeRequest)
        : registeredId(row.outLocationContactChangeStatus, row.outLocationContactChangeRequest),
    ),
)

export const contactChangePull: PullResource<ContactChangeRecord> = {
  ...ofOneRequest(locationContactChangeRequest.path),
  source: namedSource(locationContactChangeRequest.path, namedIds.locationContactChangeRequests),
  owners: listOwners.locationContactChangeRequests,
  row: declaredRow(locationContactChangeRequest, ({ id, type }, { owner: requestId, requests }) => {
    const { entry, exit } = ContactType.code
    const isEntry = newestOf(requests)?.inLocationContactChangeRequestId === id
    // A new change request is not in the request's row yet, so its own `type` counts too: 2 or 02 (crm-contract 2).
    const contactType = isEntry || Number(type) === Number(entry) ? entry : exit
    const key = contactChangeKey(requestId, contactType)
    return { blank: { key, requestId, workingDate: '', contactType } }
  }),
}

const noteWire = wireOf(noteLocationArea)

export const noteLocationAreas = createAndEdit(noteLocationArea, (record, fields, read) => {
  const { requestId } = record
  const { loginUserId } = read
  // The app creates only notes of type 1 (crm-contract 4).
  const query = { type: NoteType.code.request, loginUserId }
  const list = { path: listPath(noteLocationArea, requestId), query, paged: true }
  const owner = { requestId, loginUserId }
  return findOurs(read, list, noteWire, (row) => isOurs(noteLocationArea, owner, fields, row))
})

/** Reads the notes of an area by the id of any of its requests: the CRM returns the same for all (crm-contract 4). */
export const notePull: PullResource<NoteRecord> = {
  source: {
    kind: 'list',
    calls: ({ requests, fetchRequest }, loginUserId) =>
      NoteType.options.map(({ code }) => ({
        path: listPath(noteLocationArea, requests[0]?.id ?? fetchRequest?.requestId ?? ''),
        query: { type: code, loginUserId },
        paging: { limit: PAGE_SIZE },
      })),
  },
  owners: listOwners.noteLocationAreas,
  lifetime: 'lists',
  basis: ({ key, noteLocationAreaCount, noteLocationAreaStatus }) =>
    `${key} ${noteLocationAreaCount} ${noteLocationAreaStatus}`,
  localSelector: (locationAreaId) => ({ locationAreaId }),
  ownerOf: ({ locationAreaId }) => locationAreaId,
  one: { path: 'noteLocationArea', ownerIn: ownerInRow(noteWire, ({ locationAreaId }) => locationAreaId) },
  row: declaredRow(
    noteLocationArea,
    ({ id: key, requestId, type: noteType }, { owner: locationAreaId, requests }) => {
      const fromRow = { locationAreaId, noteType: noteType ?? NoteType.code.request }
      return {
        blank: { key, requestId: requestId ?? requests[0]?.id ?? '', workingDate: '', ...fromRow },
        fromRow: () => fromRow,
      }
    },
    { mayBeOurs: true },
  ),
}

/** Safety measures are created once and never edited: the declaration has no edit (crm-contract 4). */
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
    ownerIn: ownerInRow(wireOf(safetyMeasure), ({ requestId, workingDate }) =>
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
