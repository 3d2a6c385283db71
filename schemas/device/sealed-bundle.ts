/**
 * The sealed bundle: data from a phone whose password is lost, for the owner of the recovery key
 * (decisions/encryption). The app writes the file, `npm run recover` reads it. It is text with one JSON object per
 * line, so that it can be sent by any means: a head, the rows, and the number of rows, which shows whether the file was
 * cut off.
 */
import { type } from 'arktype'

/** Version of the format. A change that an older reader would misread raises it. */
export const BUNDLE_VERSION = 1
export const BUNDLE_KIND = 'genba-work-sealed'
/** Maximum characters per line; a photo has at most 100 MB, more than any phone takes. */
export const BUNDLE_LINE_MAX = 160_000_000

const base64 = type('string')
const sealed = type({ key: 'string <= 100', bytes: base64 })

export const bundleHead = type({
  kind: `'${BUNDLE_KIND}'`,
  version: `${BUNDLE_VERSION}`,
  /** ISO 8601 time. */
  made: 'string <= 40',
  /** Version of the app. */
  app: 'string <= 40',
  /** Name of the user's database; part of each row's place. */
  user: 'string <= 200',
  /** The needed data keys, each wrapped, with the SHA-256 of the public key in hex. */
  keys: type({ id: 'string <= 100', by: 'string <= 100', bytes: base64 }).array(),
})
export type BundleHead = typeof bundleHead.infer

export const bundleRow = type({
  collection: 'string <= 100',
  /** Schema version of the collection. */
  version: 'number',
  key: 'string <= 1000',
  /** The row's plain-text fields. */
  'clear?': 'object',
  'sealed?': sealed,
  /** Bytes of a photo, encrypted; only in the row of a photo. */
  'bytes?': sealed,
  'thumb?': sealed,
  'origin?': sealed,
})
export type BundleRow = typeof bundleRow.infer

export const bundleEnd = type({ end: 'number >= 0' })
