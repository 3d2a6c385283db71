/** The request signature (crm-contract 2). */
const encoder = new TextEncoder()

const hex = (buffer: ArrayBuffer) =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Returns the HMAC-SHA-256 of method, path with query as sent, and body text, in lower-case hex.
 * @param path path and query as sent, `/api/v1/…?a=b`
 * @param body the body's text; empty without a body
 */
export async function signatureOf(key: string, method: string, path: string, body: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', encoder.encode(key), algorithm, false, ['sign'])
  return hex(await crypto.subtle.sign('HMAC', imported, encoder.encode(`${method}\n${path}\n${body}`)))
}

/** SHA-256 of a file's bytes, lower-case hex. */
export const digestOf = async (bytes: ArrayBuffer) => hex(await crypto.subtle.digest('SHA-256', bytes))
