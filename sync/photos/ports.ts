/** What the sending of photos needs of the device: bytes, and the folder of a record's photos. */

/** The bytes of photos, in a table of their own; a `put` is on disk when it resolves (RULES SV1). */
export interface PhotoBytes {
  put(key: string, bytes: ArrayBuffer, options?: { cached?: boolean }): Promise<void>
  get(key: string): Promise<ArrayBuffer | undefined>
  thumb(key: string): Promise<ArrayBuffer | undefined>
  remove(key: string): Promise<void>
  /** The file store has it now: it stays while there is room. */
  release(key: string): Promise<void>
  /** Keys of what was put before a moment (epoch ms). */
  keys(putBefore: number): Promise<string[]>
}

/**
 * Where a record's photos go. `make`: a folder of that name under the parent, made by the first upload. `wait`: the
 * CRM does not have the record yet (RULES OR2). `untold`: it has, and does not say where (EX2). `gone`: the device does not
 * have it any more.
 */
export type PhotoFolder =
  | { kind: 'folder'; id: string }
  | { kind: 'make'; parentId: string; name: string }
  | { kind: 'wait' }
  | { kind: 'untold' }
  | { kind: 'gone' }

export interface PhotoParents {
  folderOf(resource: string, recordKey: string): Promise<PhotoFolder>
}
