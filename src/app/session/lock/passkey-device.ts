/**
 * Passkeys of this device by WebAuthn, with the extension `prf`: the authenticator makes 32 secret bytes of a salt, and only
 * for who has shown a face, a finger or the device's PIN (W3C Web Authentication Level 3, 10.1.4).
 */
import type { PasskeyAsk } from '#data/seal/passkey.ts'

type MadePasskey =
  | { kind: 'made'; credential: ArrayBuffer; secret: BufferSource }
  | { kind: 'cancelled' | 'unsupported' }

export interface PasskeyDevice {
  /** As far as the browser says it: of a `maybe`, and of an authenticator that is older, the making of one says it. */
  support(): Promise<'yes' | 'maybe' | 'no'>
  make(names: { app: string; user: string }, salt: ArrayBuffer): Promise<MadePasskey>
  /** @returns the secret; null where there was none: nobody can tell a lost passkey from one that was not given */
  ask(ask: PasskeyAsk): Promise<BufferSource | null>
}

/** ES256 and RS256: what every platform has. Nothing is signed that somebody checks. */
const ALGORITHMS = [-7, -257]
const TIMEOUT_MS = 120_000

const random = (size: number) => crypto.getRandomValues(new Uint8Array(size))

export const passkeyDevice = (credentials: CredentialsContainer | undefined): PasskeyDevice => ({
  async support() {
    if (!credentials || !('PublicKeyCredential' in globalThis)) return 'no'
    // Safari before 17.4 cannot say
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
          // random: one for each registration, so that none takes the place of another's
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
    const given = await orNull(
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
    if (!(given instanceof PublicKeyCredential)) return null
    return given.getClientExtensionResults().prf?.results?.first ?? null
  },
})

/** What the user does not give, or the device does not have, is told by a rejection. */
const orNull = (asked: Promise<Credential | null> | undefined): Promise<Credential | null> =>
  asked?.catch(() => null) ?? Promise.resolve(null)
