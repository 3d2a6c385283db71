/** The keys of one user, as whatever reads and writes sees them. */
import {
  seal,
  SealError,
  unseal,
  type Cryptography,
  type DataKey,
  type SealedPlace,
  type Sealed,
} from './seal.ts'

export interface KeyRing {
  /**
   * What is written now is sealed with it; null on a device without keys (tests).
   * @throws SealError where it is locked, or its record is missing
   */
  current(): Promise<DataKey | null>
  /** Null where it is not to be had. */
  byId(id: string): Promise<CryptoKey | null>
}

/** @param keys the first is the one that is sealed with; none: a device without keys */
export const ringOf = (...keys: readonly DataKey[]): KeyRing => ({
  current: async () => keys[0] ?? null,
  byId: async (id) => keys.find((key) => key.id === id)?.key ?? null,
})

/** Bytes and values of one user, sealed and opened. */
export function createSealer(cryptography: Cryptography, ring: KeyRing) {
  const openBytes = async (place: SealedPlace, sealed: Sealed) =>
    unseal(cryptography, await ring.byId(sealed.key), place, sealed)
  return {
    /** As it is where there is no key. */
    async sealBytes(place: SealedPlace, bytes: ArrayBuffer): Promise<ArrayBuffer | Sealed> {
      const key = await ring.current()
      return key ? seal(cryptography, key, place, bytes) : bytes
    },
    /** @throws SealError of kind `clear` where they are not sealed, and there is a key */
    async openBytes(place: SealedPlace, stored: ArrayBuffer | Sealed): Promise<ArrayBuffer> {
      if (!(stored instanceof ArrayBuffer)) return openBytes(place, stored)
      if ((await ring.current()) !== null) throw new SealError('clear', place[1])
      return stored
    },
    /** Null where there is no key. */
    async sealValue(place: SealedPlace, value: unknown): Promise<Sealed | null> {
      const key = await ring.current()
      return key && seal(cryptography, key, place, new TextEncoder().encode(JSON.stringify(value)))
    },
    async openValue(place: SealedPlace, sealed: Sealed): Promise<unknown> {
      const text = new TextDecoder().decode(await openBytes(place, sealed))
      try {
        return JSON.parse(text) as unknown
      } catch (error) {
        throw new SealError('spoiled', place[1], { cause: error })
      }
    },
    /** Id of the key that is sealed with now. */
    keyId: async () => (await ring.current())?.id ?? null,
  }
}

export type Sealer = ReturnType<typeof createSealer>

/** For who has no keys at all. */
export const PLAIN: Sealer = {
  sealBytes: async (_, bytes) => bytes,
  async openBytes([, store], stored) {
    if (stored instanceof ArrayBuffer) return stored
    throw new SealError('no-key', store)
  },
  sealValue: async () => null,
  async openValue([, store]) {
    throw new SealError('no-key', store)
  },
  keyId: async () => null,
}
