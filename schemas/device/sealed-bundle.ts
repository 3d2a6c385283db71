/**
 * The sealed bundle: data from a phone whose password is lost, for the owner of the recovery key
 * (decisions/encryption). The app writes the file, `npm run recover` reads it. Each line is a JSON object: the head,
 * the rows, and the number of rows, which shows whether the file is complete.
 */
import { type } from 'arktype'

/** Version of the format, raised by a change that older readers would misread. */
export const BUNDLE_VERSION = 1
export const BUNDLE_KIND = 'genba-work-sealed'
const base64 = type('string')
const sealed = type({ key: 'string <= 100', bytes: base64 })

export const bundleHead = type({
  kind: `'${BUNDLE_KIND}'`,
  version: `${BUNDLE_VERSION}`,
  /** ISO 8601 time. */
  made: 'string <= 40',
  app: 'string <= 40',
  /** Name of the user. With the id of a key it is the name of the key's stores, which each row authenticates. */
  user: 'string <= 200',
  /** The keys of the user's data, encrypted with a recovery key. `by` is the SHA-256 of its public part, in hex. */
  keys: type({ id: 'string <= 100', by: 'string <= 100', bytes: base64 }).array(),
})
export type BundleHead = typeof bundleHead.infer

export const bundleRow = type({
  collection: 'string <= 100',
  /** Schema version of the collection. */
  version: 'number',
  key: 'string <= 1000',
  /** The fields that are not encrypted. */
  'clear?': 'object',
  'sealed?': sealed,
  /** Encrypted bytes of a photo; only in the row of a photo. */
  'bytes?': sealed,
  'thumb?': sealed,
  'origin?': sealed,
})
export type BundleRow = typeof bundleRow.infer
