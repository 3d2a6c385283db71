/**
 * A phone may hold 50,000 requests: no screen reads them whole. What a list, a filter or a count knows of them is in memory
 * (`data/visits/request-rows.ts`); whole ones are asked for by their key or by an index (decisions/speed).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')
/** By file: how often, and it says why there. */
const ALLOWED = new Map([['src/data/resources/change-requests.ts', 1]])

/** Queries over all requests, with or without an order. */
const wholeReads = (text: string): string[] =>
  [...text.matchAll(/\brequests\s*\.find\(([^)]*)\)/g)]
    .filter(([, asked = '']) => !asked.includes('selector'))
    .map(([call]) => call)

const sources = readdirSync(resolve(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => `src/${path}`)
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(resolve(root, path), 'utf8') }))

test('[decisions/speed] no screen reads all requests of the device', () => {
  expect(sources.length).toBeGreaterThan(300)
  const found = sources.flatMap(({ path, text }) =>
    wholeReads(text)
      .slice(ALLOWED.get(path) ?? 0)
      .map((call) => `${path}: ${call}`),
  )
  expect(found).toEqual([])
})

test.each([
  ['db.requests.find().$', 1],
  ["db.requests.find({ sort: [{ workingDate: 'asc' }] }).$", 1],
  ['db.requests\n    .find()\n', 1],
  ["db.requests.find({ selector: { id }, sort: [{ workingDate: 'asc' }] }).exec()", 0],
  ['db.requests.findOne(key).$', 0],
  ['changeRequests.find((each) => each)', 0],
])('found in %s: %i', (text, count) => {
  expect(wholeReads(text)).toHaveLength(count)
})
