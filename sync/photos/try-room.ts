/**
 * Tests whether the device can store a page of the CRM's answers (RULES ST4). The test bytes are stored beside the
 * photos and removed again. If the page dies in between, they are removed as bytes without a photo
 * (`photo-store.ts`).
 */
import type { PhotoBytes } from './ports.ts'

/** Bytes of the test write: more than a page of 50 requests with long texts. */
const PAGE_BYTES = 128 * 1024
const KEY = 'room'

/** @throws the error of the device's storage */
export async function tryRoom(bytes: Pick<PhotoBytes, 'put' | 'remove'>): Promise<void> {
  await bytes.put(KEY, new ArrayBuffer(PAGE_BYTES))
  await bytes.remove(KEY)
}
