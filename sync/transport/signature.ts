/**
 * Creates the function that signs calls (crm-contract 2): lower-case hex HMAC-SHA-256 of `METHOD + "\n" +
 * path and query as sent + "\n" + body text`.
 */
export function createSigner(
  key: string,
): (method: string, pathAndQuery: string, body: string) => Promise<string> {
  const encoder = new TextEncoder()
  // HMAC pads keys with zeros, so an empty key (missing configuration) equals one zero byte, which can be
  // imported.
  const bytes = encoder.encode(key || '\0')
  const imported = crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return async (method, pathAndQuery, body) => {
    const text = encoder.encode(`${method}\n${pathAndQuery}\n${body}`)
    const signature = await crypto.subtle.sign('HMAC', await imported, text)
    return Array.from(new Uint8Array(signature), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
}
