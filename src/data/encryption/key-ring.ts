/** The keys of one user, and a sealer that uses them. */
import { isSealed, seal, SealError, unseal, utf8, type DataKey, type SealedPlace } from './seal.ts'

export interface KeyRing {
  /** Returns the key for new data. @throws SealError if it is locked or missing */
  current(): Promise<DataKey>
  byId(id: string): Promise<CryptoKey | null>
}

/** Makes a ring of fixed keys, of which the first encrypts. */
export const ringOf = (...keys: readonly DataKey[]): KeyRing => ({
  current: async () => keys[0] ?? Promise.reject(new SealError('no-key', 'keys')),
  byId: async (id) => keys.find((key) => key.id === id)?.key ?? null,
})

export function createSealer(ring: KeyRing) {
  const sealBytes = async (place: SealedPlace, bytes: BufferSource) =>
    seal(await ring.current(), place, bytes)
  /** @throws SealError, of kind `clear` if what is stored is not encrypted */
  const openBytes = async (place: SealedPlace, stored: unknown): Promise<ArrayBuffer> => {
    if (!isSealed(stored)) throw new SealError('clear', place[1])
    return unseal(await ring.byId(stored.key), place, stored)
  }
  return {
    sealBytes,
    openBytes,
    /** Encrypts a value as JSON. */
    sealValue: (place: SealedPlace, value: unknown) => sealBytes(place, utf8(JSON.stringify(value))),
    /** @throws SealError, of kind `clear` if what is stored is not encrypted */
    async openValue(place: SealedPlace, stored: unknown): Promise<unknown> {
      const text = new TextDecoder().decode(await openBytes(place, stored))
      try {
        return JSON.parse(text) as unknown
      } catch (error) {
        throw new SealError('spoiled', place[1], { cause: error })
      }
    },
  }
}

export type Sealer = ReturnType<typeof createSealer>
