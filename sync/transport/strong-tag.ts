/** Strong ETags, which a PUT may name in `If-Match` (RULES MG4). */
/** Visible ASCII between quotes; longer ones are not in use and are not sent. */
const STRONG = /^"[\x21\x23-\x7e]{1,256}"$/

/**
 * Returns a strong ETag; undefined for anything else.
 * @param header as the CRM sent it
 */
export const strongTag = (header: string | null | undefined): string | undefined =>
  header && STRONG.test(header) ? header : undefined

export const PRECONDITION_FAILED = 412
