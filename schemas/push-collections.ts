/** The collections whose records travel to the CRM. Without ArkType: the first screen counts what is unsent. */
export const pushCollections = [
  'quickReports',
  'emergencyReports',
  'safetyMeasures',
  'customerLocationChangeRequests',
  'locationContactChangeRequests',
  'noteLocationAreas',
] as const
export type PushCollection = (typeof pushCollections)[number]
