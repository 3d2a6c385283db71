import type { Sealer } from '#data/encryption/key-ring.ts'
import { isSealed, SealError, type Sealed } from '#data/encryption/seal.ts'

const kept = (bytes: BufferSource): Sealed => ({
  key: 'plain',
  bytes: Uint8Array.from(bytesOf(bytes)).buffer,
})
const bytesOf = (source: BufferSource) =>
  ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source)

/** Stands where a test is not about encryption: whatever it is given to seal can be read by anybody. */
export const PLAIN: Sealer = {
  sealBytes: async (_, bytes) => kept(bytes),
  async openBytes(place, stored) {
    // The stored layouts (`fixtures/`) have bytes in clear.
    if (stored instanceof ArrayBuffer) return stored
    if (!isSealed(stored)) throw new SealError('clear', place[1])
    return stored.bytes
  },
  sealValue: async (_, value) => kept(new TextEncoder().encode(JSON.stringify(value))),
  openValue: async (place, stored) =>
    JSON.parse(new TextDecoder().decode(await PLAIN.openBytes(place, stored))) as unknown,
}
