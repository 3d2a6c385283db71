/**
 * Encrypts a data key for the app's operator too, so that a forgotten password loses no work (sync RULES SV8,
 * decisions/encryption). Uses RSA-OAEP-SHA-256. The private key is on no device.
 */
import { labelOf } from './wrap.ts'
import type { StoredKey } from './stored-keys.ts'

export const RSA = { name: 'RSA-OAEP', hash: 'SHA-256' }
const LEAST_BITS = 3_072
/** A larger key of the operator would be slow on a phone. */
const MOST_BITS = 8_192
const LONGEST_KEY = 2_000

interface RecoveryKey {
  /** SHA-256 of the public key in hex, which identifies the private key. */
  by: string
  key: CryptoKey
}

/** `none`: no key is configured. `unknown`: the configured key is unusable; copies for an earlier key are kept. */
export type Recovery = RecoveryKey | 'none' | 'unknown'
type RecoveryWrap = Pick<RecoveryKey, 'by'> & { bytes: ArrayBuffer }

/** Parses the operator's public key, SPKI in base64 or PEM. @throws if it is no RSA key or has the wrong size */
export async function recoveryKeyOf(text: string): Promise<RecoveryKey> {
  if (text.length > LONGEST_KEY) throw new RangeError('a public key of that length')
  const base64 = text.replace(/-----(?:BEGIN|END) PUBLIC KEY-----|\s/g, '')
  const spki = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  const key = await crypto.subtle.importKey('spki', spki, RSA, false, ['encrypt'])
  const bits = Number(Reflect.get(key.algorithm, 'modulusLength'))
  if (!(bits >= LEAST_BITS && bits <= MOST_BITS)) throw new RangeError(`an RSA key of ${bits} bits`)
  return { by: await fingerprintOf(spki), key }
}

export async function fingerprintOf(spki: BufferSource) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', spki))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns a key's encrypted copies, the operator's added, replaced or removed. @param raw bytes of the data key */
export async function withRecovery(
  recovery: Recovery,
  stored: Pick<StoredKey, 'id' | 'wraps'>,
  raw: BufferSource,
): Promise<Pick<StoredKey, 'wraps'>> {
  if (recovery === 'unknown' || (recovery !== 'none' && recoveryWrapOf(stored)?.by === recovery.by))
    return stored.wraps ? { wraps: stored.wraps } : {}
  const { recovery: _before, ...others } = stored.wraps ?? {}
  if (recovery === 'none') return Object.keys(others).length > 0 ? { wraps: others } : {}
  const label = labelOf(stored.id)
  const bytes = await crypto.subtle.encrypt({ name: RSA.name, label }, recovery.key, raw)
  return { wraps: { ...others, recovery: { by: recovery.by, bytes } satisfies RecoveryWrap } }
}

export function recoveryWrapOf({ wraps }: Pick<StoredKey, 'wraps'>): RecoveryWrap | null {
  const { by, bytes } = Object(wraps?.['recovery']) as Partial<RecoveryWrap>
  return typeof by === 'string' && bytes instanceof ArrayBuffer ? { by, bytes } : null
}
