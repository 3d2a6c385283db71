/** What the witness of photos keeps of one that was taken. */
import type { Disk } from './disk.ts'

export interface Shot {
  key: string
  bytes: ArrayBuffer
  /** Where it was saved; null while it is only in a form's draft. */
  saved: { device: string; disk: Disk; recordKey: string; requestId: string } | null
  /** Its save was called done: its name is what it is. */
  confirmed: boolean
  /** As the person wants it. */
  name: string
  wanted: 'kept' | 'deleted'
  /** Stamps of the saves that are this person's, and of those whose 破棄 was asked for; the key where that was its upload. */
  changes: Set<string>
  discards: Set<string>
  /** What was asked for last of its upload, and is on disk. */
  wish: 'none' | 'resend' | 'discard'
  /** The file store had it at some time. */
  arrived: boolean
  /** An upload of it left, and nobody has looked since what became of it. */
  inDoubt: boolean
}

export const newShot = (key: string, bytes: ArrayBuffer): Shot => ({
  key,
  bytes,
  saved: null,
  confirmed: false,
  name: '',
  wanted: 'kept',
  changes: new Set(),
  discards: new Set(),
  wish: 'none',
  arrived: false,
  inDoubt: false,
})

/** No two photos of a run have the same size. */
export const sizeOfPhoto = (number: number) => 4 + number
export const isFirstPhoto = (size: number | undefined) => size === sizeOfPhoto(1)

export const isSame = (a: ArrayBuffer, b: ArrayBuffer | undefined): boolean =>
  b !== undefined && Buffer.from(a).equals(Buffer.from(b))
