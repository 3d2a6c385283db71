/**
 * A data key wrapped for whoever operates the app, beside the password: a forgotten one costs no work then (sync RULES SV8,
 * decisions/encryption). RSA-OAEP-SHA-256 over WebCrypto. The private key is on no device.
 */
import { labelOf } from './wrap.ts'
import type { Cryptography } from './seal.ts'

const RSA = { name: 'RSA-OAEP', hash: 'SHA-256' }
const LEAST_BITS = 3_072
/** What is larger nobody makes, and a phone would work at it for long. */
const MOST_BITS = 8_192
/** Characters. */
const LONGEST_KEY = 2_000

interface RecoveryKey {
  /** SHA-256 of the public key in hex: says which private key opens. */
  by: string
  key: CryptoKey
}

/** `none`: the operator gives no key; `unknown`: there is one that cannot be used, and what is wrapped stays as it is. */
export type Recovery = RecoveryKey | 'none' | 'unknown'

/** As it lies on disk. */
interface RecoveryWrap {
  by: string
  bytes: ArrayBuffer
}

/** @param text SPKI in base64, also as PEM @throws where it is no RSA key of enough bits */
export async function recoveryKeyOf({ subtle }: Cryptography, text: string): Promise<RecoveryKey> {
  if (text.length > LONGEST_KEY) throw new RangeError('a public key of that length')
  const base64 = text.replace(/-----(?:BEGIN|END) PUBLIC KEY-----|\s/g, '')
  const spki = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  const key = await subtle.importKey('spki', spki, RSA, false, ['encrypt'])
  const bits = Number(Reflect.get(key.algorithm, 'modulusLength'))
  if (!(bits >= LEAST_BITS && bits <= MOST_BITS)) throw new RangeError(`an RSA key of ${bits} bits`)
  return { by: await fingerprintOf({ subtle }, spki), key }
}

/** @param spki of the public key */
export async function fingerprintOf(
  { subtle }: Pick<Cryptography, 'subtle'>,
  spki: BufferSource,
): Promise<string> {
  const digest = new Uint8Array(await subtle.digest('SHA-256', spki))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Other ways to a key, beside the password; each is written by its own part alone. */
type Wraps = Readonly<Record<string, unknown>>

/** @param raw the data key @returns what is to be kept; the others' stay */
export async function withRecovery(
  { subtle }: Cryptography,
  recovery: Recovery,
  kept: { id: string; wraps?: Wraps },
  raw: BufferSource,
): Promise<{ wraps?: Wraps }> {
  if (recovery === 'unknown' || (recovery !== 'none' && recoveryWrapOf(kept)?.by === recovery.by))
    return kept.wraps ? { wraps: kept.wraps } : {}
  const { recovery: _before, ...others } = kept.wraps ?? {}
  if (recovery === 'none') return Object.keys(others).length > 0 ? { wraps: others } : {}
  const label = labelOf(kept.id)
  const bytes = await subtle.encrypt({ name: RSA.name, label }, recovery.key, raw)
  return { wraps: { ...others, recovery: { by: recovery.by, bytes } satisfies RecoveryWrap } }
}

/** Null where there is none. */
export function recoveryWrapOf({ wraps }: { wraps?: Wraps }): RecoveryWrap | null {
  const wrap = Object(wraps?.['recovery']) as Partial<RecoveryWrap>
  const { by, bytes } = wrap
  return typeof by === 'string' && bytes instanceof ArrayBuffer ? { by, bytes } : null
}

/** @param pkcs8 the private key @returns the data key @throws where it is another's */
export async function recovered(
  { subtle }: Cryptography,
  pkcs8: BufferSource,
  keyId: string,
  bytes: BufferSource,
): Promise<ArrayBuffer> {
  const key = await subtle.importKey('pkcs8', pkcs8, RSA, false, ['decrypt'])
  return subtle.decrypt({ name: RSA.name, label: labelOf(keyId) }, key, bytes)
}
