/**
 * WebCrypto as far as the seals use it (`src/data/seal`), by Node's own ciphers, which are done at once: the browser's
 * promises end in real time, and virtual time would not wait for them.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, pbkdf2Sync } from 'node:crypto'

const TAG_BYTES = 16

/** A `CryptoKey`: who has it can use it. */
export class ModelKey {
  readonly raw: Buffer

  constructor(raw: Buffer) {
    this.raw = raw
  }
}

interface AesGcm {
  iv: BufferSource
  additionalData: BufferSource
}
interface Pbkdf2 {
  salt: BufferSource
  iterations: number
}

const copyOf = (buffer: Buffer): ArrayBuffer => Uint8Array.from(buffer).buffer
const bufferOf = (source: BufferSource): Buffer =>
  ArrayBuffer.isView(source)
    ? Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    : Buffer.from(source)

/** In place of a page's own `crypto`, for what is sealed. */
export type Cryptography = Pick<Crypto, 'getRandomValues' | 'subtle'>

/** @param random 0 ≤ number < 1, by the seed alone */
export function modelCrypto(random: () => number): Cryptography {
  const subtle = {
    importKey: async (_format: string, bytes: BufferSource) => new ModelKey(Buffer.from(bufferOf(bytes))),
    async deriveKey({ salt, iterations }: Pbkdf2, from: ModelKey) {
      return new ModelKey(pbkdf2Sync(from.raw, bufferOf(salt), iterations, 32, 'sha256'))
    },
    sign: async (_name: string, { raw }: ModelKey, text: BufferSource) =>
      copyOf(createHmac('sha256', raw).update(bufferOf(text)).digest()),
    async digest(_name: string, data: BufferSource) {
      return copyOf(createHash('sha256').update(bufferOf(data)).digest())
    },
    async encrypt({ iv, additionalData }: AesGcm, { raw }: ModelKey, data: BufferSource) {
      const cipher = createCipheriv('aes-256-gcm', raw, bufferOf(iv)).setAAD(bufferOf(additionalData))
      return copyOf(Buffer.concat([cipher.update(bufferOf(data)), cipher.final(), cipher.getAuthTag()]))
    },
    decrypt: async ({ iv, additionalData }: AesGcm, { raw }: ModelKey, data: BufferSource) =>
      copyOf(openedAtOnce(raw, bufferOf(iv), bufferOf(additionalData), bufferOf(data))),
  }
  const model = {
    subtle,
    getRandomValues(values: Uint8Array) {
      for (let at = 0; at < values.length; at += 1) values[at] = Math.floor(random() * 256)
      return values
    },
  }
  // the seals use nothing else of it
  return model as unknown as Cryptography
}

/** @throws where the key, the place or a bit is another */
export function openedAtOnce(raw: Buffer, iv: Buffer, additionalData: Buffer, data: Buffer): Buffer {
  const end = data.length - TAG_BYTES
  const cipher = createDecipheriv('aes-256-gcm', raw, iv).setAAD(additionalData)
  cipher.setAuthTag(data.subarray(end))
  return Buffer.concat([cipher.update(data.subarray(0, end)), cipher.final()])
}
