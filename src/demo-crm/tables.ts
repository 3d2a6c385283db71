/** The record types of the demo CRM, each with its seed and routes. */
import type { Route } from '#demo-crm/world/call.ts'
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
import type { RecordRows, RecordTableName, TableName } from '#demo-crm/world/rows.ts'
import { seedQuickReports } from '#demo-crm/resources/seed-quick-reports.ts'
import { seedVisitsOfRequest, type SeedVisit } from './seed/visits.ts'
import { tokyoDay } from '#demo-crm/seed/tokyo-day.ts'

interface RecordTable<R> {
  /** @param group id of a request; for notes, id of a location area @param now epoch ms */
  seed(group: string, now: number): R[]
  routes: Route[]
}

const ofVisits = <R>(seed: (visits: SeedVisit[], now: number) => R[], routes: Route[]): RecordTable<R> => ({
  seed: (id, now) => seed(seedVisitsOfRequest(id), now),
  routes,
})

export const recordTables: { readonly [N in RecordTableName]: RecordTable<RecordRows[N]> } = {
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

const isRecordTable = (name: string): name is RecordTableName => Object.hasOwn(recordTables, name)
export const recordTableNames = Object.keys(recordTables).filter(isRecordTable)

/** Returns the seed rows of a table for a group: a request, or for notes a location area. */
export const seedOf = (name: TableName, group: string, now: number): unknown[] =>
  isRecordTable(name) ? recordTables[name].seed(group, now) : []
