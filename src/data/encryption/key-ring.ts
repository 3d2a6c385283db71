/** The keys of one user, and a sealer that uses them. Only tests have devices without keys, which store plain data. */
import {
  isSealed,
  seal,
  SealError,
  unseal,
  utf8,
  type DataKey,
  type SealedPlace,
  type Sealed,
} from './seal.ts'

export interface KeyRing {
  /** Returns the key for new data; null on a device without keys. @throws SealError if it is locked or missing */
  current(): Promise<DataKey | null>
  byId(id: string): Promise<CryptoKey | null>
}

/** Makes a ring of fixed keys: the first key encrypts; without keys it stands for a device without keys. */
export const ringOf = (...keys: readonly DataKey[]): KeyRing => ({
  current: async () => keys[0] ?? null,
  byId: async (id) => keys.find((key) => key.id === id)?.key ?? null,
})

export function createSealer(ring: KeyRing) {
  const unsealed = async (place: SealedPlace, sealed: Sealed) =>
    unseal(await ring.byId(sealed.key), place, sealed)
  const openValue = async (place: SealedPlace, sealed: Sealed): Promise<unknown> => {
    const text = new TextDecoder().decode(await unsealed(place, sealed))
    try {
      return JSON.parse(text) as unknown
    } catch (error) {
      throw new SealError('spoiled', place[1], { cause: error })
    }
  }
  return {
    async sealBytes(place: SealedPlace, bytes: ArrayBuffer): Promise<ArrayBuffer | Sealed> {
      const key = await ring.current()
      return key ? seal(key, place, bytes) : bytes
    },
    /** @throws SealError of kind `clear` if the bytes are not encrypted although the user has a key */
    async openBytes(place: SealedPlace, stored: ArrayBuffer | Sealed): Promise<ArrayBuffer> {
      if (!(stored instanceof ArrayBuffer)) return unsealed(place, stored)
      if ((await ring.current()) !== null) throw new SealError('clear', place[1])
      return stored
    },
    /** Encrypts a value as JSON; null on a device without keys. */
    async sealValue(place: SealedPlace, value: unknown): Promise<Sealed | null> {
      const key = await ring.current()
      return key && seal(key, place, utf8(JSON.stringify(value)))
    },
    openValue,
    /**
     * Decrypts a value, or returns it unchanged on a device without keys.
     * @throws SealError of kind `clear` if the value is not encrypted although the user has a key
     */
    async openStored<T>(place: SealedPlace, stored: T | Sealed): Promise<T> {
      if (isSealed(stored)) return (await openValue(place, stored)) as T
      if ((await ring.current()) !== null) throw new SealError('clear', place[1])
      return stored
    },
    keyId: async () => (await ring.current())?.id ?? null,
  }
}

export type Sealer = ReturnType<typeof createSealer>
export const PLAIN: Sealer = createSealer(ringOf())
