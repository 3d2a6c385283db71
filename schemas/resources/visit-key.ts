/**
 * Keys of visits, of a machine's past reports, and of drafts that belong to no form: signatures, sheets, hash chains of
 * photos, phrases. ArkType is not imported, because the first screen's list uses this file.
 */

/** The key of a visit, which is one request on one working day. */
export const visitKey = (requestId: string, workingDate: string) => `${requestId}_${workingDate}`
const VISIT = /^(.+)_(\d{4}-\d{2}-\d{2})(?:_(.+))?$/

/** Parses a key that begins with a visit's key; null for any other text. `rest` follows, such as a measure's type. */
export function visitIn(key: string): { requestId: string; workingDate: string; rest: string } | null {
  const [, requestId, workingDate, rest = ''] = VISIT.exec(key) ?? []
  return requestId === undefined || workingDate === undefined ? null : { requestId, workingDate, rest }
}

const PHOTO_CHAINS = 'photo-chain/'
/** Key of the draft with the hash chain of a day's photos (`src/lib/image/photo-chain`). */
export const photoChainDraft = (day: string): string => `${PHOTO_CHAINS}${day}`
/** The day (`YYYY-MM-DD`) of a draft with a hash chain of photos; null for any other draft. */
export const dayOfPhotoChain = (draftKey: string): string | null =>
  draftKey.startsWith(PHOTO_CHAINS) ? draftKey.slice(PHOTO_CHAINS.length) : null

const OF_VISIT = /^(?:signature|sheet\/[a-z-]+)\/(.+)$/
/** Key of the draft with a visit's signature (decisions/report-pdf). */
export const signatureDraft = (visit: string): string => `signature/${visit}`
/** Key of the draft with a visit's filled-in sheet (decisions/forms). */
export const sheetDraft = (sheet: string, visit: string): string => `sheet/${sheet}/${visit}`
/** The visit of a draft with a signature or sheet, which is deleted with the visit; null for any other draft. */
export const visitOfDraft = (draftKey: string): string | null => OF_VISIT.exec(draftKey)?.[1] ?? null

/** Key of the draft with the user's own phrases, which is deleted at the logout (decisions/drafts). */
export const PHRASES_DRAFT = 'phrases'
export const pastReportKey = (deviceId: string, id: string) => `${deviceId}_${id}`

/** Selector of a machine's past reports. */
export const pastReportsOf = (deviceId: string) => ({
  deviceId,
  key: { $gte: `${deviceId}_`, $lt: `${deviceId}\`` },
})
