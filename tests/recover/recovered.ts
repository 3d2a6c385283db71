import { RSA } from '#data/encryption/recovery.ts'
import { labelOf } from '#data/encryption/wrap.ts'

/**
 * Unwraps a data key with the operator's private key.
 * @param pkcs8 the private key
 * @returns the raw data key
 * @throws if the wrap is for another private key
 */
export async function recovered(pkcs8: BufferSource, keyId: string, bytes: BufferSource) {
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, RSA, false, ['decrypt'])
  return crypto.subtle.decrypt({ name: RSA.name, label: labelOf(keyId) }, key, bytes)
}
