/** What sending photos needs: their bytes on the device, and the folder of a record's photos. */

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

/**
 * The folder for a record's photos. `folder`: it exists. `make`: the first upload creates it under the parent.
 * `wait`: the CRM does not have the record yet (RULES OR2). `unnamed`: the CRM has the record but names no folder
 * (EX2). `gone`: the device no longer has the record.
 */
export type PhotoFolder =
  | { kind: 'folder'; id: string }
  | { kind: 'make'; parentId: string; name: string }
  | { kind: 'wait' }
  | { kind: 'unnamed' }
  | { kind: 'gone' }

export interface PhotoParents {
  folderOf(resource: string, recordKey: string): Promise<PhotoFolder>
}
