/**
 * Parses JSON within the limits of depth, length, width and weight (RULES PL11), a long text in slices. Weight is the size
 * in bytes, with each text counted only up to its limit.
 */
import { ANSWER_WEIGHT_MAX } from '#schemas/limits.ts'
import { inSlices, type Sliced } from '../lib/slices.ts'
import { limitedSize, limitedSizeInSlices, type LimitedBody } from './limit-size.ts'
import { splitRows, isList, weightOf } from './limit-rows.ts'

/** Number of bytes that can be parsed at once without skipping a frame. */
export const PARSE_AT_ONCE_MAX = 100_000

/** Level of a row in its response; the list is level 1. */
const ROW_DEPTH = 2

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Parses bytes; null if they are not JSON. */
export async function parseJson(bytes: Uint8Array): Promise<LimitedBody | null> {
  try {
    if (bytes.length <= PARSE_AT_ONCE_MAX) return limitedSize(JSON.parse(textOf(bytes)))
    return await inSlices(isList(bytes) ? parseRowsInSlices(bytes) : parseOneInSlices(bytes))
  } catch {
    return null
  }
}

/** Parses a list row by row, so that one row that is too large costs no other. */
function* parseRowsInSlices(bytes: Uint8Array): Sliced<LimitedBody | null> {
  const split = yield* splitRows(bytes)
  if (!split) return null
  const omitted = new Set<string>()
  const body: unknown[] = []
  for (const row of split.rows) {
    if (row === null) omitted.add('a row that is too large')
    body.push(row === null ? null : yield* limitedSizeInSlices(JSON.parse(textOf(row)), omitted, ROW_DEPTH))
    yield
  }
  if (split.hasMore) omitted.add(`what comes after ${body.length} rows`)
  // The true number of rows is unknown. One more than was read shows that the list was cut.
  return { body, omitted: [...omitted], rows: split.hasMore ? body.length + 1 : null }
}

function* parseOneInSlices(bytes: Uint8Array): Sliced<LimitedBody> {
  if ((yield* weightOf(bytes)) > ANSWER_WEIGHT_MAX)
    return { body: null, omitted: [`all of its ${bytes.length} bytes`], rows: null, isTooLarge: true }
  const omitted = new Set<string>()
  const body = yield* limitedSizeInSlices(JSON.parse(textOf(bytes)), omitted)
  return { body, omitted: [...omitted], rows: null }
}
