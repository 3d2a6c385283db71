/** The operator's private key, from its PEM. */
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { fingerprintOf } from '#data/encryption/recovery.ts'

export interface PrivateKey {
  /** SHA-256 of the public key in hex, as bundles name it. */
  by: string
  pkcs8: BufferSource
}

const bytesOf = (buffer: Buffer): Uint8Array<ArrayBuffer> => Uint8Array.from(buffer)

/** @param passphrase of an encrypted PEM @throws where it is no RSA key, or the passphrase is another */
export async function privateKeyOf(pem: string, passphrase: string | undefined): Promise<PrivateKey> {
  const key = createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) })
  if (key.asymmetricKeyType !== 'rsa') throw new Error('not RSA')
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return {
    by: await fingerprintOf(bytesOf(spki)),
    pkcs8: bytesOf(key.export({ format: 'der', type: 'pkcs8' })),
  }
}
