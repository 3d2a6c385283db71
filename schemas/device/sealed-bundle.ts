/**
 * The sealed bundle: what lies on a phone under a password that nobody knows any more, for whoever has the recovery key
 * (decisions/encryption). Written by the app and read by `npm run recover`. Text, a line of JSON each, so that any way
 * of sending a file takes it: who it is for, then row by row, and how many there were, by which a file that was cut is
 * known.
 */
import { type } from 'arktype'

/** Another one where a reader of this one would misread it. */
export const BUNDLE_VERSION = 1
export const BUNDLE_KIND = 'genba-work-sealed'
/** Characters of a line: a photo is at most 100 MB, which no phone takes. */
export const BUNDLE_LINE_MAX = 160_000_000

const base64 = type('string')
const sealed = type({ key: 'string <= 100', bytes: base64 })

export const bundleHead = type({
  kind: `'${BUNDLE_KIND}'`,
  version: `${BUNDLE_VERSION}`,
  /** ISO time, and the version of the app. */
  made: 'string <= 40',
  app: 'string <= 40',
  /** Name of the user's database: a part of the place of each row. */
  user: 'string <= 200',
  /** Each data key that is needed: wrapped, and by which public key (SHA-256 in hex). */
  keys: type({ id: 'string <= 100', by: 'string <= 100', bytes: base64 }).array(),
})
export type BundleHead = typeof bundleHead.infer

export const bundleRow = type({
  collection: 'string <= 100',
  /** The collection's. */
  version: 'number',
  key: 'string <= 1000',
  /** What of a row lies in clear. */
  'clear?': 'object',
  'sealed?': sealed,
  /** Of a photo. */
  'bytes?': sealed,
  'thumb?': sealed,
  'origin?': sealed,
})
export type BundleRow = typeof bundleRow.infer

export const bundleEnd = type({ end: 'number >= 0' })
