/** The bytes of photos on the device, and whether there is room for more. */

/** The bytes of photos, in a table of their own. A `put` is on disk when it resolves (RULES SV1). */
export interface PhotoBytes {
  put(key: string, bytes: ArrayBuffer, options?: { cached?: boolean }): Promise<void>
  get(key: string): Promise<ArrayBuffer | undefined>
  thumb(key: string): Promise<ArrayBuffer | undefined>
  remove(key: string): Promise<void>
  /** The file store has the bytes now, so the device may remove them when it needs room. */
  release(key: string): Promise<void>
  /** Keys of bytes that were put before this time (epoch ms). */
  keys(putBefore: number): Promise<string[]>
}

/** Bytes of the test write: more than a page of 50 requests with long texts. */
const PAGE_BYTES = 128 * 1024
const KEY = 'room'

/**
 * Tests whether the device can store a page of the CRM's answers (RULES ST4). The test bytes are removed again. If
 * the page dies in between, they are removed as bytes without a photo (`photo-store.ts`).
 * @throws the error of the device's storage
 */
export async function tryRoom(bytes: Pick<PhotoBytes, 'put' | 'remove'>): Promise<void> {
  await bytes.put(KEY, new ArrayBuffer(PAGE_BYTES))
  await bytes.remove(KEY)
}
