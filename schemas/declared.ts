/**
 * Every resource that travels to the CRM, by its collection: a new one is a row here. What the first screen needs of them is
 * written down (`declared-facts.json`, by `npm run schemas`): their fields and code tables would cost it 3 kB.
 */
import { customerLocationChangeRequest } from './customer-location-change-request.ts'
import type { Declaration } from './declare.ts'
import { emergencyReport } from './emergency-report.ts'
import { locationContactChangeRequest } from './location-contact-change-request.ts'
import { noteLocationArea } from './note-location-area.ts'
import { quickReport } from './quick-report.ts'
import { safetyMeasure } from './safety-measure.ts'

export const declared = {
  quickReports: quickReport,
  emergencyReports: emergencyReport,
  safetyMeasures: safetyMeasure,
  customerLocationChangeRequests: customerLocationChangeRequest,
  locationContactChangeRequests: locationContactChangeRequest,
  noteLocationAreas: noteLocationArea,
} satisfies Readonly<Record<string, Declaration>>
