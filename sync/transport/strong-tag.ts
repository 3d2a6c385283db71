/** The ETags that a PUT may name (RULES MG4). */
/** Visible ASCII between quotes; longer than any server makes it, and none of ours to send. */
const STRONG = /^"[\x21\x23-\x7e]{1,256}"$/

/** @param header as the CRM sent it */
export const strongTag = (header: string | null | undefined): string | undefined =>
  header && STRONG.test(header) ? header : undefined

export const PRECONDITION_FAILED = 412
