/**
 * Keys of visits, and of the drafts that are not drafts of a form: a signature, a sheet, a day's photo records,
 * phrases. This module does not use ArkType, because the first screen's list needs it.
 */

/** Key of a visit: one request on one working day. */
export const visitKey = (requestId: string, workingDate: string) => `${requestId}_${workingDate}`

const VISIT = /^(.+)_(\d{4}-\d{2}-\d{2})(?:_(.+))?$/

/**
 * Parses a key that is or begins with a visit's key; `rest` is the part after that, such as a safety measure's type.
 * Null for any other text.
 */
export function visitIn(key: string): { requestId: string; workingDate: string; rest: string } | null {
  const [, requestId, workingDate, rest = ''] = VISIT.exec(key) ?? []
  return requestId === undefined || workingDate === undefined ? null : { requestId, workingDate, rest }
}

const PHOTO_CHAINS = 'photo-chain/'
/** The key of the draft with the records of a day's photos (`src/lib/image/photo-chain`). */
export const photoChainDraft = (day: string): string => `${PHOTO_CHAINS}${day}`
/** The day of a draft that stores a day's photo records, `YYYY-MM-DD`; null for any other draft. */
export const dayOfPhotoChain = (draftKey: string): string | null =>
  draftKey.startsWith(PHOTO_CHAINS) ? draftKey.slice(PHOTO_CHAINS.length) : null

const OF_VISIT = /^(?:signature|sheet\/[a-z-]+)\/(.+)$/
/** The key of the draft with the signature of a visit (decisions/report-pdf). */
export const signatureDraft = (visit: string): string => `signature/${visit}`
/** The key of the draft with a filled-in sheet of a visit (decisions/forms). */
export const sheetDraft = (sheet: string, visit: string): string => `sheet/${sheet}/${visit}`
/** The visit of a signature or sheet, whose draft is deleted with the visit; null for any other draft. */
export const visitOfDraft = (draftKey: string): string | null => OF_VISIT.exec(draftKey)?.[1] ?? null

/** The key of the draft with the user's own phrases. It is deleted at the logout (decisions/drafts). */
export const PHRASES_DRAFT = 'phrases'
