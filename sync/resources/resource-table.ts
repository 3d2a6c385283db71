/**
 * How the records of each collection are sent (`pushResources`) and read (`pullResources`). The sender and the pull
 * find a resource here by the name of its collection. A new resource with `list: 'of-request'` needs only its
 * declaration, any other an entry here and a file in this folder.
 */
import type { RecordViews } from '#schemas/collections/collections.ts'
import { declared } from '#schemas/collections/declared.ts'
import { listOwners, type PrefetchedCollection } from '#schemas/collections/prefetch.ts'
import {
  isOfRequest,
  isPushCollection,
  pushCollections,
  type OfRequestCollection,
  type PushCollection,
} from '#schemas/collections/push-collections.ts'
import type { LocalRecord } from '#sync/merge/merge-rows.ts'
import {
  contactChangePull,
  customerLocationChangeRequests,
  customerLocationPull,
  locationContactChangeRequests,
  noteLocationAreas,
  notePull,
  safetyMeasurePull,
  safetyMeasures,
} from './own-rules.ts'
import { pullOfRequest, pushOfRequest } from './declared-resource.ts'
import { quickReports } from './quick-report.ts'
import type { PullResource, PushResource } from './resource.ts'
import { type } from 'arktype'
import { storedRow, type SharedRow } from '#schemas/collections/shared.ts'
import { DEVICE_REPORT_LIMIT, DEVICE_REPORT_PAGES_AHEAD } from '#schemas/limits.ts'
import { pastReportKey, pastReportsOf } from '#schemas/resources/visit-key.ts'
import { pastReportWire, type PastReportRecord, type PastReportWire } from '#schemas/resources/past-report.ts'
import {
  supplierStaffWire,
  type SupplierStaffRecord,
  type SupplierStaffWire,
} from '#schemas/resources/supplier-staff.ts'
import { textsOf } from '#sync/wire/declared.ts'

/**
 * Records that are only read and rarely change (crm-contract 4): past reports, the newest pages for each machine, and the
 * staff of the user's company, whose list belongs to no request.
 */
const SELDOM = { lifetime: 'seldom', basis: () => '' } as const

export const pastReportPull: PullResource<PastReportRecord & SharedRow> = {
  ...SELDOM,
  source: {
    kind: 'list',
    isEmptyAt404: true,
    calls: ({ owner, fetchRequest }, loginUserId) => [
      {
        path: `report/${encodeURIComponent(owner)}`,
        query: { loginUserId },
        paging: {
          limit: DEVICE_REPORT_LIMIT,
          maxPages: Math.max(DEVICE_REPORT_PAGES_AHEAD, fetchRequest?.pages ?? 0),
        },
      },
    ],
  },
  owners: listOwners.pastReports,
  localSelector: pastReportsOf,
  ownerOf: ({ deviceId }) => deviceId,
  row(raw, { owner }) {
    const wire = pastReportWire(raw)
    if (wire instanceof type.errors) return wire
    const record = storedRow('pastReports', toPastReport(wire, owner))
    return { id: wire.id, key: record.key, record: () => record }
  },
}

export const toPastReport = (wire: PastReportWire, deviceId: string): PastReportRecord => ({
  key: pastReportKey(deviceId, wire.id),
  deviceId,
  id: wire.id,
  workingDate: wire.workingDate,
  ...textsOf(wire, ['workingStartTime', 'workingEndTime', 'reportCatName']),
  ...textsOf(wire, ['supplierName', 'supplierStaffName', 'requestDetail', 'specialComment']),
  emergencyReports: (wire.emergencyReport ?? []).map((emergency) => ({
    ...textsOf(emergency, ['id', 'emergencyContentsName', 'emergencyContentsDetails', 'riskName']),
    ...textsOf(emergency, ['correspondenceDateName', 'ttsStaffContactName']),
  })),
})

export const supplierStaffPull: PullResource<SupplierStaffRecord & SharedRow> = {
  ...SELDOM,
  source: {
    kind: 'list',
    calls: ({ owner }, loginUserId) => [
      { path: `supplierStaff/${encodeURIComponent(owner)}`, query: { loginUserId }, paging: null },
    ],
  },
  localSelector: (supplierId) => ({ supplierId }),
  ownerOf: ({ supplierId }) => supplierId,
  row(raw, { owner }) {
    const wire = supplierStaffWire(raw)
    if (wire instanceof type.errors) return wire
    const record = storedRow('supplierStaff', toSupplierStaff(wire, owner))
    return { id: wire.id, key: record.key, record: () => record }
  },
}

export const toSupplierStaff = (wire: SupplierStaffWire, supplierId: string): SupplierStaffRecord => ({
  key: wire.id,
  name: wire.name ?? '',
  supplierId,
  userFlag: wire.userFlag ?? null,
})

type Rows<C extends PushCollection> = { [N in C]: PushResource<RecordViews[N]> }

// These collections have no code of their own: everything follows from their declarations.
const ofRequest = pushCollections.filter(isOfRequest)
const sentOfRequest = ofRequest.map((name) => [name, pushOfRequest(declared[name])])

export const pushResources: Rows<PushCollection> = {
  ...(Object.fromEntries(sentOfRequest) as Rows<OfRequestCollection>),
  quickReports,
  safetyMeasures,
  customerLocationChangeRequests,
  locationContactChangeRequests,
  noteLocationAreas,
}

/** @throws if records of this collection are never sent to the CRM */
export function resourceOf(name: string): PushResource {
  if (!isPushCollection(name)) throw new Error(`no resource ${name}`)
  return pushResources[name]
}

export type RecordCollection = PrefetchedCollection | 'supplierStaff'

const readOfRequest = ofRequest.map((name) => [name, pullOfRequest(declared[name])])

/** Their record type is widened. This is safe, because the pull passes each resource only its own records. */
export const pullResources: Readonly<Record<RecordCollection, PullResource<LocalRecord>>> = {
  ...(Object.fromEntries(readOfRequest) as Record<OfRequestCollection, PullResource<LocalRecord>>),
  safetyMeasures: safetyMeasurePull,
  customerLocationChangeRequests: customerLocationPull,
  locationContactChangeRequests: contactChangePull,
  noteLocationAreas: notePull,
  pastReports: pastReportPull,
  supplierStaff: supplierStaffPull,
}
