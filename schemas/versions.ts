/**
 * The version of each collection's schema. A phone in use has documents of the version before: raised by
 * `npm run schemas -- --bump <collection>` only, which writes the step between the two as well (decision 0060).
 */
export const versions = {
  requests: 0,
  quickReports: 0,
  emergencyReports: 0,
  safetyMeasures: 0,
  customerLocationChangeRequests: 0,
  locationContactChangeRequests: 0,
  noteLocationAreas: 0,
  photos: 0,
  own: 0,
  lookups: 0,
}
