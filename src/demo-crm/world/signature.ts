/** The request signature (crm-contract 2). */
const encoder = new TextEncoder()

const hex = (buffer: ArrayBuffer) =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Returns the HMAC-SHA-256 of method, path and body in lower-case hex.
 * @param path path and query as sent, such as `/api/v1/…?a=b`
 * @param body text of the body; '' without a body
 */
export async function signatureOf(key: string, method: string, path: string, body: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', encoder.encode(key), algorithm, false, ['sign'])
  return hex(await crypto.subtle.sign('HMAC', imported, encoder.encode(`${method}\n${path}\n${body}`)))
}

/** Returns the SHA-256 of a file's bytes in lower-case hex. */
export const digestOf = async (bytes: ArrayBuffer) => hex(await crypto.subtle.digest('SHA-256', bytes))
