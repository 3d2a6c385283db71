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

type Singular<Name extends string> = Name extends `${infer One}s` ? One : never
/** What addresses, drafts and files call one record of them: `quickReport`. */
export type PushSlug = Singular<PushCollection>

/** What is stored may be of a version that knows others. */
export const isPushCollection = (name: string): name is PushCollection =>
  pushCollections.some((known) => known === name)
