/** Signature, digests, times and ETags of the API (crm-contract 2; RFC 9110 13.1.1, strong comparison). */
import type { DemoResponse } from '#demo-crm/world/call.ts'

const encoder = new TextEncoder()

const hex = (buffer: ArrayBuffer) =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The HMAC-SHA-256 in lower-case hex. @param path path and query as sent @param body '' without a body */
export async function signatureOf(key: string, method: string, path: string, body: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', encoder.encode(key), algorithm, false, ['sign'])
  return hex(await crypto.subtle.sign('HMAC', imported, encoder.encode(`${method}\n${path}\n${body}`)))
}

/** Returns the SHA-256 of a file's bytes in lower-case hex. */
export const digestOf = async (bytes: ArrayBuffer) => hex(await crypto.subtle.digest('SHA-256', bytes))

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

export const etagOf = async (body: string) => `"${await digestOf(encoder.encode(body).buffer)}"`

/** True if a `PUT` with this `If-Match` may run. @param current ETag of the record now; null if there is no record */
export function isMatch(ifMatch: string, current: string | null): boolean {
  if (current === null) return false
  const tags = ifMatch.split(',').map((tag) => tag.trim())
  return tags.includes('*') || tags.includes(current)
}
