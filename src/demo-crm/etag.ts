/**
 * Computes ETags and evaluates `If-Match` (RFC 9110 13.1.1). The comparison is strong, so that a weak tag never
 * matches.
 */
import type { DemoResponse } from '#demo-crm/world/call.ts'
import { digestOf } from '#demo-crm/world/signature.ts'

const IN_TOKYO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?\+09:00$/

const inZ = (_: string, value: unknown) =>
  typeof value === 'string' && IN_TOKYO.test(value)
    ? new Date(value).toISOString().replace('.000Z', 'Z')
    : value

/** Writes all date-times in a response with `Z` instead of `+09:00`, also typed text that looks like a date-time. */
export const withTimesInZ = (answer: DemoResponse): DemoResponse =>
  answer.json === undefined
    ? answer
    : { ...answer, json: JSON.parse(JSON.stringify(answer.json), inZ) as unknown }

export const etagOf = async (body: string) => `"${await digestOf(new TextEncoder().encode(body).buffer)}"`

/** True if a `PUT` with this `If-Match` may run. @param current ETag of the record now; null if there is no record */
export function isMatch(ifMatch: string, current: string | null): boolean {
  if (current === null) return false
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  return tags.includes('*') || tags.includes(current)
}
