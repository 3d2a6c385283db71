/**
 * Whether the device takes what a page of the CRM comes to (RULES ST4). The stores of records have no place for it: it is put
 * beside the photos, and removed again. What a page that dies leaves behind is swept as bytes of no photo (`photo-store.ts`).
 */
import type { PhotoBytes } from './ports.ts'

/** More than a page of 50 requests, each with long texts. */
const PAGE_BYTES = 128 * 1024
const KEY = 'room'

/** @throws what the device's storage says */
export async function tryRoom(bytes: Pick<PhotoBytes, 'put' | 'remove'>): Promise<void> {
  await bytes.put(KEY, new ArrayBuffer(PAGE_BYTES))
  await bytes.remove(KEY)
}
