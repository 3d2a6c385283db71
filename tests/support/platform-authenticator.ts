/** A device's own passkeys, as Chromium plays them (`WebAuthn.addVirtualAuthenticator`): they have the PRF, and nobody is asked. */
export const PLATFORM_AUTHENTICATOR = {
  options: {
    protocol: 'ctap2',
    ctap2Version: 'ctap2_1',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    hasPrf: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  },
} as const
