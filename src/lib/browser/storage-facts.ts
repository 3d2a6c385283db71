/** What the browser knows about the device's storage. */

export interface StorageFacts {
  /** Used and free bytes; null if the browser does not report them. */
  used: number | null
  free: number | null
  /** True if the browser has promised not to evict the data; null if the browser does not report this. */
  persisted: boolean | null
}

/** Never rejects. @param storage `navigator.storage`; undefined in some browsers and without https */
export async function readStorageFacts(storage: StorageManager | undefined): Promise<StorageFacts> {
  const { usage, quota } = (await storage?.estimate?.().catch(() => null)) ?? {}
  return {
    used: usage ?? null,
    free: quota === undefined ? null : Math.max(0, quota - (usage ?? 0)),
    persisted: (await storage?.persisted?.().catch(() => null)) ?? null,
  }
}
