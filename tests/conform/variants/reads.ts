import { answering, broken, eachRow, hearing, saying, status, type Variant } from './variant.ts'
import type { Row } from '../shapes.ts'
import { withHeaders } from '../demo-host.ts'
import { addDays } from '../tokyo.ts'

const SEARCH = /request\/search$/
const ONE = /spa\/request\/(?!search)[^/]+$/
const NOTES = /noteLocationArea\/request\//
const REPORTS = /spa\/report\//

const asked = (name: string, change: (value: string) => string | null) => ({
  url: (url: URL) => {
    const value = url.searchParams.get(name)
    const next = value === null ? null : change(value)
    if (next === null) url.searchParams.delete(name)
    else url.searchParams.set(name, next)
  },
})
const rows = (change: (list: Row[]) => unknown) => (json: unknown) =>
  Array.isArray(json) ? change(json as Row[]) : json
export const readVariants: Variant[] = [
  broken(
    'B1',
    'x-total-count がそのページの件数',
    answering('GET', SEARCH, async (response) => {
      const list = (await response.clone().json()) as unknown[]
      return withHeaders(response, { 'x-total-count': String(list.length) })
    }),
  ),
  broken(
    'B1',
    'x-total-count がない',
    answering('GET', SEARCH, (response) => withHeaders(response, { 'x-total-count': null })),
  ),
  broken(
    'B2',
    'offset を 0 から数える',
    hearing(
      'GET',
      SEARCH,
      asked('offset', (value) => String(Number(value) + 1)),
    ),
  ),
  broken(
    'B2',
    'offset をページの番号と読む',
    hearing('GET', SEARCH, {
      url: (url) => {
        const [limit, offset] = [
          Number(url.searchParams.get('limit')),
          Number(url.searchParams.get('offset')),
        ]
        if (offset > 1) url.searchParams.set('offset', String((offset - 1) * limit + 1))
      },
    }),
  ),
  broken(
    'B3',
    'limit がないと 20 件',
    hearing('GET', SEARCH, {
      url: (url) => !url.searchParams.has('limit') && url.searchParams.set('limit', '20'),
    }),
  ),
  broken(
    'B4',
    '終わりを過ぎると最初のページ',
    hearing(
      'GET',
      SEARCH,
      asked('offset', (value) => (Number(value) > 60 ? '1' : value)),
    ),
  ),
  broken(
    'B5',
    '並びが逆',
    saying(
      'GET',
      SEARCH,
      rows((list) => list.toReversed()),
    ),
  ),
  broken(
    'B6',
    '終わりの日を含まない',
    hearing(
      'GET',
      SEARCH,
      asked('workingDateTo', (day) => addDays(day, -1)),
    ),
  ),
  broken(
    'B7',
    'requestCode を見ない',
    hearing(
      'GET',
      SEARCH,
      asked('requestCode', () => null),
    ),
  ),
  broken(
    'B7',
    'orderFlag のコンマを読まない',
    hearing(
      'GET',
      SEARCH,
      asked('orderFlag', (codes) => codes.split(',')[0] ?? null),
    ),
  ),
  broken(
    'B8',
    '作業日が / 区切り',
    saying(
      'GET',
      SEARCH,
      eachRow((row) => ({ ...row, workingDate: String(row['workingDate']).replaceAll('-', '/') })),
    ),
  ),
  broken(
    'B8',
    'ttsOrder がない',
    saying(
      'GET',
      SEARCH,
      eachRow((row) => ({ ...row, ttsOrder: null })),
    ),
  ),
  broken(
    'B9',
    '同じ行が二度出る',
    saying(
      'GET',
      SEARCH,
      rows((list) => [...list.slice(0, -1), ...list.slice(0, 1)]),
    ),
  ),
  broken(
    'B10',
    '一件の読み取りに safety がない',
    saying(
      'GET',
      ONE,
      eachRow((row) => ({ ...row, safety: null })),
    ),
  ),
  broken(
    'B11',
    'ない依頼に 200 と null',
    status('GET', ONE, (code) => code === 404, 200, 'null'),
  ),
  broken(
    'B12',
    'workingDate を見ない',
    hearing(
      'GET',
      ONE,
      asked('workingDate', () => null),
    ),
  ),
  broken(
    'B13',
    '過去の報告が古い順',
    saying(
      'GET',
      REPORTS,
      rows((list) => list.toReversed()),
    ),
  ),
  broken(
    'B14',
    'type を見ない',
    hearing(
      'GET',
      NOTES,
      asked('type', () => null),
    ),
  ),
  broken(
    'B14',
    '現場メモが古い順',
    saying(
      'GET',
      NOTES,
      rows((list) => list.toReversed()),
    ),
  ),
  broken(
    'B15',
    '担当者に supplierId がない',
    saying(
      'GET',
      /supplierStaff\//,
      eachRow((row) => ({ ...row, supplierId: null })),
    ),
  ),
]
