/** The key of what belongs to one request on one working day. Apart from the records' definitions: a list needs it at once. */
export const visitKey = (requestId: string, workingDate: string) => `${requestId}_${workingDate}`

const VISIT = /^(.+)_(\d{4}-\d{2}-\d{2})(?:_(.+))?$/

/** What a key names that is, or begins with, a visit's: of a measure the type comes behind. Null for any other text. */
export function visitIn(key: string): { requestId: string; workingDate: string; rest: string } | null {
  const [, requestId, workingDate, rest = ''] = VISIT.exec(key) ?? []
  return requestId === undefined || workingDate === undefined ? null : { requestId, workingDate, rest }
}

const SIGNATURES = 'signature/'
/** The key of the draft that holds the signature of a visit (decisions/report-pdf). */
export const signatureDraft = (visit: string): string => `${SIGNATURES}${visit}`
/** The visit of such a draft; null for a draft of a form. */
export const visitOfSignature = (draftKey: string): string | null =>
  draftKey.startsWith(SIGNATURES) ? draftKey.slice(SIGNATURES.length) : null
