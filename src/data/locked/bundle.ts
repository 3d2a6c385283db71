/**
 * Writes rows that are encrypted under a user's earlier passwords into a text file, from which the operator can
 * recover them (`#schemas/device/sealed-bundle.ts`). Each line is a Blob of its own, which the browser may store on
 * disk.
 */
import {
  BUNDLE_KIND,
  BUNDLE_VERSION,
  type BundleHead,
  type BundleRow,
} from '#schemas/device/sealed-bundle.ts'
import { BYTES } from '#data/database/what-stays.ts'
import type { LockedRow } from './locked-rows.ts'
import { recoveryWrapOf } from '#data/encryption/recovery.ts'
import { isSealed, type Sealed } from '#data/encryption/seal.ts'
import { SEALED } from '#data/encryption/sealed-rows.ts'
import type { StoredKey } from '#data/encryption/stored-keys.ts'

interface Bundle {
  user: string
  /** Data keys that are also encrypted for the operator. Rows encrypted with other keys are left out. */
  keys: readonly StoredKey[]
  made: string
  app: string
}

/** Writes the rows, which stay encrypted, between a line with the encrypted keys and a line with the number of rows. */
export async function bundleOf(rows: AsyncIterable<LockedRow>, { keys, ...about }: Bundle): Promise<Blob> {
  const wrapped = keys.flatMap((key) => {
    const wrap = recoveryWrapOf(key)
    return wrap ? [{ id: key.id, by: wrap.by, bytes: base64Of(wrap.bytes) }] : []
  })
  const known = new Set(wrapped.map(({ id }) => id))
  const bundleHead: BundleHead = { kind: BUNDLE_KIND, version: BUNDLE_VERSION, ...about, keys: wrapped }
  const parts = [lineOf(bundleHead)]
  const isKnown = ({ row }: LockedRow) =>
    [row[SEALED], row['bytes']].some((sealed) => isSealed(sealed) && known.has(sealed.key))
  for await (const row of rows) if (isKnown(row)) parts.push(lineOf(rowOf(row)))
  const rowCount = parts.length - 1
  parts.push(lineOf({ end: rowCount }))
  return new Blob(parts, { type: 'text/plain' })
}

/** Makes a Blob of one line, so that the browser can free the line's text before the next row is read. */
const lineOf = (value: object) => new Blob([JSON.stringify(value), '\n'])

function rowOf(locked: LockedRow): BundleRow {
  const { collection, version, key, row, info } = locked
  const { [SEALED]: sealed, bytes, thumb, ...clear } = row
  const head = { collection, version, key }
  return collection === BYTES
    ? { ...head, ...textOf('bytes', bytes), ...textOf('thumb', thumb), ...textOf('origin', info?.['origin']) }
    : { ...head, clear, ...textOf(SEALED, sealed) }
}

const textOf = (name: string, stored: unknown) =>
  isSealed(stored) ? { [name]: { key: stored.key, bytes: base64Of(stored.bytes) } satisfies Text } : {}
type Text = Omit<Sealed, 'bytes'> & { bytes: string }

/** Number of bytes that are converted at once: a multiple of 3, because base64 encodes three bytes as four letters. */
const PIECE = 3 * 8_192

/** Converts bytes to base64 piece by piece: `String.fromCharCode` cannot take all bytes of a photo as arguments. */
function base64Of(buffer: ArrayBuffer): string {
  const bytes = new Uint8Array(buffer)
  let text = ''
  for (let from = 0; from < bytes.length; from += PIECE)
    text += btoa(String.fromCharCode(...bytes.subarray(from, from + PIECE)))
  return text
}
