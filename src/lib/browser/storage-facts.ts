/** What the browser says of the device's storage. */

export interface StorageFacts {
  /** Bytes; null where the browser does not say. */
  used: number | null
  free: number | null
  /** The browser has promised not to clear it; null where it does not say. */
  persisted: boolean | null
}

/** @param storage `navigator.storage`; missing in some browsers and outside https */
export async function readStorageFacts(storage: StorageManager | undefined): Promise<StorageFacts> {
  const { usage, quota } = (await storage?.estimate?.()) ?? {}
  return {
    used: usage ?? null,
    free: quota === undefined ? null : Math.max(0, quota - (usage ?? 0)),
    persisted: (await storage?.persisted?.()) ?? null,
  }
}
