/** Parses JSON within the limits of depth, length, width and weight (RULES PL11); long texts in slices. */
import { ANSWER_WEIGHT_MAX } from '#schemas/limits.ts'
import { inSlices, type Sliced } from '../lib/slices.ts'
import { bounded, bounding, type Bounded } from './limit-size.ts'
import { cutRows, isList, weightOf } from './limit-rows.ts'

/** Bytes that can be parsed within a frame. */
export const SHORT = 100_000

export const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** Parses bytes; null if they are not JSON. */
export async function parseJson(bytes: Uint8Array): Promise<Bounded | null> {
  try {
    if (bytes.length <= SHORT) return bounded(JSON.parse(textOf(bytes)))
    return await inSlices(isList(bytes) ? parsingRows(bytes) : parsingOne(bytes))
  } catch {
    return null
  }
}

function* parsingRows(bytes: Uint8Array): Sliced<Bounded | null> {
  const cut = yield* cutRows(bytes)
  if (!cut) return null
  const leftOut = new Set<string>()
  const body: unknown[] = []
  for (const row of cut.rows) {
    if (row === null) leftOut.add('a row that is too large')
    // A row is at the second level of its response.
    body.push(row === null ? null : yield* bounding(JSON.parse(textOf(row)), leftOut, 2))
    yield
  }
  if (cut.hasMore) leftOut.add(`what comes after ${body.length} rows`)
  return { body, leftOut: [...leftOut], rows: cut.hasMore ? body.length + 1 : null }
}

function* parsingOne(bytes: Uint8Array): Sliced<Bounded> {
  if ((yield* weightOf(bytes)) > ANSWER_WEIGHT_MAX)
    return { body: null, leftOut: [`all of its ${bytes.length} bytes`], rows: null, isTooLarge: true }
  const leftOut = new Set<string>()
  const body = yield* bounding(JSON.parse(textOf(bytes)), leftOut)
  return { body, leftOut: [...leftOut], rows: null }
}
