/** The collections whose records travel to the CRM. Without ArkType: the first screen counts what is unsent. */
export const pushCollections = ['quickReports'] as const
export type PushCollection = (typeof pushCollections)[number]
