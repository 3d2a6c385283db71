/**
 * Passkeys of this device by WebAuthn, with the extension `prf`: the authenticator derives 32 secret bytes from a salt after a
 * check of face, finger or PIN (W3C Web Authentication Level 3, 10.1.4).
 */
import type { PasskeyAsk } from '#data/encryption/passkey.ts'

type MadePasskey =
  | { kind: 'made'; credential: ArrayBuffer; secret: BufferSource }
  | { kind: 'cancelled' | 'unsupported' }

export interface PasskeyDevice {
  /** Returns the browser's own answer. With `maybe`, only a registration shows whether passkeys work. */
  support(): Promise<'yes' | 'maybe' | 'no'>
  make(names: { app: string; user: string }, salt: ArrayBuffer): Promise<MadePasskey>
  /** @returns the secret; null for a lost passkey and for a refusal, which cannot be distinguished */
  ask(ask: PasskeyAsk): Promise<BufferSource | null>
}

/** ES256 and RS256, which every platform supports. No signature is ever checked. */
const ALGORITHMS = [-7, -257]
const TIMEOUT_MS = 120_000

const random = (size: number) => crypto.getRandomValues(new Uint8Array(size))

export const passkeyDevice = (credentials: CredentialsContainer | undefined): PasskeyDevice => ({
  async support() {
    if (!credentials || !('PublicKeyCredential' in globalThis)) return 'no'
    // Safari before 17.4 does not have this function.
    const known = (await PublicKeyCredential.getClientCapabilities?.())?.['extension:prf']
    if (known === false) return 'no'
    if (!(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable())) return 'no'
    return known === true ? 'yes' : 'maybe'
  },
  async make({ app, user }, salt) {
    const made = await orNull(
      credentials?.create({
        publicKey: {
          rp: { name: app },
          // A random id for each registration, so that no registration replaces another.
          user: { id: random(16), name: user, displayName: user },
          challenge: random(32),
          pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
          authenticatorSelection: {
            authenticatorAttachment: 'platform',
            residentKey: 'preferred',
            userVerification: 'required',
          },
          timeout: TIMEOUT_MS,
          extensions: { prf: { eval: { first: salt } } },
        },
      }),
    )
    if (!(made instanceof PublicKeyCredential)) return { kind: 'cancelled' }
    const { prf } = made.getClientExtensionResults()
    if (prf?.enabled !== true) return { kind: 'unsupported' }
    const { rawId: credential } = made
    const secret = prf.results?.first ?? (await this.ask({ credential, salt }))
    return secret ? { kind: 'made', credential, secret } : { kind: 'cancelled' }
  },
  async ask({ credential, salt }) {
    const found = await orNull(
      credentials?.get({
        publicKey: {
          challenge: random(32),
          allowCredentials: [{ type: 'public-key', id: credential }],
          userVerification: 'required',
          timeout: TIMEOUT_MS,
          extensions: { prf: { eval: { first: salt } } },
        },
      }),
    )
    if (!(found instanceof PublicKeyCredential)) return null
    return found.getClientExtensionResults().prf?.results?.first ?? null
  },
})

/** Resolves to null if the promise rejects: the user refuses, or the device has no such passkey. */
const orNull = async (answer: Promise<Credential | null> | undefined): Promise<Credential | null> =>
  (await answer?.catch(() => null)) ?? null
