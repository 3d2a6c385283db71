/**
 * Random documents, writes and queries for a store, the same for every storage that is given them. From the seed alone.
 */
import {
  fillWithDefaultSettings,
  normalizeMangoQuery,
  prepareQuery,
  type BulkWriteRow,
  type MangoQuery,
  type PreparedQuery,
  type RxDocumentData,
  type RxJsonSchema,
} from 'rxdb/plugins/core'
import { int, oneOf, pickOf, type Random } from '../simulate/random.ts'

export interface Visit {
  key: string
  day: string
  code: number
  place: { area: string; floor?: number | null }
  open: boolean
  text?: string | null
  tags: string[]
}
export type StoredVisit = RxDocumentData<Visit>

const text = { type: 'string', maxLength: 20 }
export const VISIT: RxJsonSchema<Visit> = {
  version: 0,
  primaryKey: 'key',
  type: 'object',
  properties: {
    key: text,
    day: text,
    code: { type: 'integer', minimum: 0, maximum: 1_000, multipleOf: 1 },
    place: { type: 'object', properties: { area: text, floor: { type: ['number', 'null'] } } },
    open: { type: 'boolean' },
    text: { type: ['string', 'null'] },
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['key', 'day', 'code', 'place', 'open', 'tags'],
  indexes: ['day', 'code', ['day', 'code'], 'place.area'],
}
export const visitSchema = fillWithDefaultSettings(VISIT)

export const EVERY_KEY = Array.from({ length: 120 }, (_, i) => `k${i}`)
const DAYS = ['2026-11-19', '2026-11-20', '2026-11-21', '2026-12-01'] as const
const AREAS = ['A', '東雲１号棟', 'ｱ', '', 'z'] as const
const TEXTS = [undefined, null, '', '依頼', 'a"b\\c', '\u{1f477}', '__x'] as const

export const anyKey = (random: Random) => pickOf(EVERY_KEY, random()) ?? ''

/** @param lwt when it is written, epoch ms */
export function anyVisit(random: Random, key: string, lwt: number, height: number): StoredVisit {
  const note = oneOf(random, TEXTS)
  const floor = oneOf(random, [undefined, null, 1, 2.5])
  return {
    key,
    day: oneOf(random, DAYS),
    code: int(random, 0, 12),
    place: { area: oneOf(random, AREAS), ...(floor !== undefined && { floor }) },
    open: random() < 0.5,
    ...(note !== undefined && { text: note }),
    tags: Array.from({ length: int(random, 0, 3) }, () => oneOf(random, ['x', 'y', '長い'])),
    _deleted: random() < 0.15,
    _attachments: {},
    _rev: `${height}-${int(random, 0, 1e9).toString(36)}`,
    _meta: { lwt },
  }
}

const heightOf = (doc: StoredVisit | undefined) => (doc ? Number.parseInt(doc._rev, 10) : 0)

/**
 * One to twelve rows: new ones, such as follow what is there, such as are made on what is no longer there, such as know of
 * nothing, and now and then two of one key.
 * @param there what is there
 */
export function anyWrites(
  random: Random,
  there: ReadonlyMap<string, StoredVisit>,
  lwt: number,
): BulkWriteRow<Visit>[] {
  return Array.from({ length: int(random, 1, 12) }, () => {
    const key = anyKey(random)
    const known = there.get(key)
    const document = anyVisit(random, key, lwt, heightOf(known) + 1)
    const chance = random()
    if (chance < 0.12) return { document }
    if (chance < 0.2) return { previous: anyVisit(random, key, lwt - 1, 1), document }
    return known ? { previous: known, document } : { document }
  })
}

const condition = (random: Random) => {
  const [a, b] = [oneOf(random, DAYS), oneOf(random, DAYS)]
  const [n, m] = [int(random, 0, 13), int(random, 0, 13)]
  return oneOf<() => object>(random, [
    () => ({ day: a }),
    () => ({ day: { $gte: a, $lte: b } }),
    () => ({ day: { $gt: a } }),
    () => ({ day: a, code: { $gt: n, $lt: m } }),
    () => ({ day: { $ne: a }, code: n }),
    () => ({ code: { $gte: n } }),
    () => ({ code: { $lt: n, $gt: m } }),
    () => ({ code: { $in: [n, m] } }),
    () => ({ 'place.area': oneOf(random, AREAS) }),
    () => ({ 'place.area': { $gt: oneOf(random, AREAS) } }),
    () => ({ 'place.floor': { $exists: random() < 0.5 } }),
    () => ({ open: random() < 0.5 }),
    () => ({ text: { $regex: '[依a]' } }),
    () => ({ text: null }),
    () => ({ tags: { $elemMatch: { $eq: 'x' } } }),
    () => ({ tags: { $size: n % 4 } }),
    () => ({ key: anyKey(random) }),
    () => ({ key: { $in: [anyKey(random), anyKey(random), anyKey(random)] } }),
    () => ({ key: { $gt: anyKey(random), $lte: anyKey(random) } }),
    () => ({}),
  ])()
}

function anySelector(random: Random): object {
  const chance = random()
  if (chance < 0.12) return { $or: [condition(random), condition(random)] }
  if (chance < 0.2) return { $and: [condition(random), condition(random)] }
  if (chance < 0.25) return { $nor: [condition(random)] }
  return { ...condition(random), ...(random() < 0.3 && condition(random)) }
}

const SORTS = ['day', 'code', 'place.area', 'key', 'open', '_meta.lwt'] as const

/** As RxDB asks its storage: filled and planned. Three of four ask for what is not deleted, as RxDB's own do. */
export function anyQuery(random: Random, schema: typeof visitSchema): PreparedQuery<Visit> {
  const selector = { ...anySelector(random), ...(random() < 0.75 && { _deleted: { $eq: false } }) }
  const sort = SORTS.filter(() => random() < 0.25).map((name) => ({ [name]: oneOf(random, ['asc', 'desc']) }))
  const asked = {
    selector,
    ...(sort.length > 0 && random() < 0.6 && { sort }),
    ...(random() < 0.5 && { limit: oneOf(random, [0, 1, 2, 7, 59, 60, 61, 500]) }),
    ...(random() < 0.3 && { skip: oneOf(random, [0, 1, 5, 60, 200]) }),
    ...(random() < 0.3 && { index: oneOf(random, schema.indexes as unknown as [string[]]) }),
  }
  const filled = normalizeMangoQuery(schema, asked as MangoQuery<StoredVisit>)
  return prepareQuery(schema, filled) as unknown as PreparedQuery<Visit>
}
