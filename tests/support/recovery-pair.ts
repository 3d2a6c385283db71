/** A pair of keys as whoever operates the app makes one. */
import { generateKeyPairSync } from 'node:crypto'

/** @returns the public one as `config.json` has it, the private one as PEM and as bytes */
export function recoveryPair(modulusLength = 3_072) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength })
  const pkcs8 = privateKey.export({ format: 'der', type: 'pkcs8' })
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    pem: String(privateKey.export({ format: 'pem', type: 'pkcs8' })),
    pkcs8: Uint8Array.from(pkcs8).buffer,
  }
}
