/**
 * The declarations of all resources that are sent to the CRM, by collection. A new resource is added here. The first
 * screen loads `declared-facts.json` instead, because the declarations contain 3 kB of code tables.
 */
import { customerLocationChangeRequest } from '#schemas/resources/customer-location-change-request.ts'
import type { Declaration } from '#schemas/declare/declare.ts'
import { emergencyReport } from '#schemas/resources/emergency-report.ts'
import { locationContactChangeRequest } from '#schemas/resources/location-contact-change-request.ts'
import { noteLocationArea } from '#schemas/resources/note-location-area.ts'
import { quickReport } from '#schemas/resources/quick-report.ts'
import { safetyMeasure } from '#schemas/resources/safety-measure.ts'

export const declared = {
  quickReports: quickReport,
  emergencyReports: emergencyReport,
  safetyMeasures: safetyMeasure,
  customerLocationChangeRequests: customerLocationChangeRequest,
  locationContactChangeRequests: locationContactChangeRequest,
  noteLocationAreas: noteLocationArea,
} satisfies Readonly<Record<string, Declaration>>
