/** The records that the demo CRM holds: what each kind is seeded with, and the calls that it answers. A new one is a row. */
import type { Route } from './call.ts'
import {
  customerLocationChangeRequestRoutes,
  seedCustomerLocationChanges,
} from './resources/customer-location-change-request.ts'
import { emergencyReportRoutes, seedEmergencyReports } from './resources/emergency-report.ts'
import {
  locationContactChangeRequestRoutes,
  seedContactChanges,
} from './resources/location-contact-change-request.ts'
import { noteLocationAreaRoutes, seedNotes } from './resources/note-location-area.ts'
import { quickReportRoutes } from './resources/quick-report.ts'
import { safetyMeasureRoutes, seedSafety } from './resources/safety-measure.ts'
import type { AnswerRow, FileRow, FolderRow, OfOrigin, TokenRow } from './rows.ts'
import { seedQuickReports } from './seed/quick-report.ts'
import { visitsOfRequest, type Visit } from './seed/visits.ts'
import { tokyoDay } from './tokyo-day.ts'

interface RecordTable<R> {
  /** @param group the request (notes: the location area) that the rows belong to; `now` in epoch ms */
  seed(group: string, now: number): R[]
  routes: Route[]
}

const ofVisits = <R extends OfOrigin>(
  seed: (visits: Visit[], now: number) => R[],
  routes: Route[],
): RecordTable<R> => ({ seed: (id, now) => seed(visitsOfRequest(id), now), routes })

export const recordTables = {
  quickReports: ofVisits(seedQuickReports, quickReportRoutes),
  emergencyReports: ofVisits(seedEmergencyReports, emergencyReportRoutes),
  safety: ofVisits(seedSafety, safetyMeasureRoutes),
  customerLocationChangeRequests: ofVisits(seedCustomerLocationChanges, customerLocationChangeRequestRoutes),
  locationContactChangeRequests: ofVisits(seedContactChanges, locationContactChangeRequestRoutes),
  notes: {
    seed: (areaId: string, now: number) => seedNotes(areaId, tokyoDay(now)),
    routes: noteLocationAreaRoutes,
  },
}
export type RecordTableName = keyof typeof recordTables
type RecordRows = { [N in RecordTableName]: ReturnType<(typeof recordTables)[N]['seed']>[number] }

export interface Rows extends RecordRows {
  folders: FolderRow
  files: FileRow
  accessTokens: TokenRow
  refreshTokens: TokenRow
  fileTokens: TokenRow
  answers: AnswerRow
  counters: { value: number }
}
export type TableName = keyof Rows

export const isRecordTable = (name: string): name is RecordTableName => Object.hasOwn(recordTables, name)
