/** Passkeys (WebAuthn) with `prf`, which derives 32 secret bytes from a salt (W3C WebAuthn Level 3, 10.1.4). */
import type { PasskeyAsk } from '#data/encryption/passkey.ts'

type MadePasskey =
  | { kind: 'made'; credential: ArrayBuffer; secret: BufferSource }
  | { kind: 'cancelled' | 'unsupported' }

export type PasskeyDevice = ReturnType<typeof passkeyDevice>

/** ES256 and RS256, which every platform supports. The signature is never used. */
const ALGORITHMS = [-7, -257]
const TIMEOUT_MS = 120_000

const random = (size: number) => crypto.getRandomValues(new Uint8Array(size))

export const passkeyDevice = (credentials: CredentialsContainer | undefined) => ({
  /** Returns whether the browser supports passkeys with `prf`. `maybe`: only a registration can show it. */
  async support(): Promise<'yes' | 'maybe' | 'no'> {
    if (!credentials || !('PublicKeyCredential' in globalThis)) return 'no'
    // `getClientCapabilities` is missing in Safari before 17.4.
    const known = (await PublicKeyCredential.getClientCapabilities?.())?.['extension:prf']
    if (known === false) return 'no'
    if (!(await PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable())) return 'no'
    return known === true ? 'yes' : 'maybe'
  },
  async make({ app, user }: { app: string; user: string }, salt: ArrayBuffer): Promise<MadePasskey> {
    const made = await orNull(
      credentials?.create({
        publicKey: {
          rp: { name: app },
          // A random id makes each registration a new passkey that replaces no other.
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
  /** @returns the secret; null if the user refuses or the passkey is lost, which the browser does not distinguish */
  async ask({ credential, salt }: PasskeyAsk): Promise<BufferSource | null> {
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

/** Resolves to null if the promise rejects, because the user refuses or the device has no such passkey. */
const orNull = async (answer: Promise<Credential | null> | undefined): Promise<Credential | null> =>
  (await answer?.catch(() => null)) ?? null
