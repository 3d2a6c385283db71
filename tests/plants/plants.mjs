/**
 * Planted defects of the rooms that no simulation drives whole, and the tests that must fail with them: an expression of the
 * shipped code, and what it becomes. Tests are named without `tests/sync/` and their ending.
 */
import { leadership } from './leadership.mjs'
import { merge } from './merge.mjs'
import { photos } from './photos.mjs'
import { pull } from './pull.mjs'
import { queue } from './queue.mjs'
import { resources } from './resources.mjs'
import { retention } from './retention.mjs'
import { runtime } from './runtime.mjs'
import { storage } from './storage.mjs'
import { transport } from './transport.mjs'
import { wire } from './wire.mjs'

export const plants = [
  ...leadership,
  ...photos,
  ...pull,
  ...queue,
  ...retention,
  ...runtime,
  ...storage,
  ...transport,
  ...wire,
  ...resources,
  ...merge,
]

/** The folder of `sync/` that a defect is in. */
export const roomOf = ({ file }) => file.split('/')[1]

/** @returns the text with the defect in it @throws where its place is not there exactly once */
export function planted(text, { name, from, to }) {
  const parts = text.split(from)
  if (parts.length !== 2) throw new Error(`${name}: ${parts.length - 1} times in its file: ${from}`)
  return parts.join(to)
}
