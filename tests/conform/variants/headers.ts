import { answering, broken, eachRow, hearing, lacking, saying, status, type Variant } from './variant.ts'
import { withHeaders } from '../demo-host.ts'

const SEARCH = /request\/search$/
const ONE = /spa\/request\/(?!search)[^/]+$/

const everyMoment = (change: (text: string) => string) => (json: unknown) =>
  JSON.parse(JSON.stringify(json), (_, value: unknown) =>
    typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) ? change(value) : value,
  ) as unknown
let tags = 0

export const headerVariants: Variant[] = [
  { caughtBy: 'C1', name: 'ETag がない', verdict: 'lack', options: { etags: false } },
  { caughtBy: 'C4', name: 'ETag がなく、If-Match を見ない', verdict: 'lack', options: { etags: false } },
  lacking(
    'C1',
    '弱い ETag',
    answering('GET', /./, (response) =>
      withHeaders(response, { etag: `W/${response.headers.get('etag') ?? '"x"'}` }),
    ),
  ),
  broken(
    'C2',
    'ETag が読むたびに変わる',
    answering('GET', ONE, (response) => withHeaders(response, { etag: `"${(tags += 1)}"` })),
  ),
  lacking(
    'C2',
    'If-None-Match を見ない',
    hearing('GET', ONE, { headers: (headers) => headers.delete('if-none-match') }),
  ),
  broken(
    'C3',
    'どの If-None-Match にも 304',
    answering('GET', ONE, (response, request) =>
      request.headers.has('if-none-match') ? new Response(null, { status: 304 }) : response,
    ),
  ),
  lacking(
    'C4',
    'If-Match を見ない',
    hearing('PUT', /./, { headers: (headers) => headers.delete('if-match') }),
  ),
  broken(
    'C5',
    '中継が If-Match を書き換える',
    hearing('PUT', /./, {
      headers: (headers) => headers.has('if-match') && headers.set('if-match', '"other-gzip"'),
    }),
  ),
  broken(
    'F2',
    '日時に時差がない',
    saying(
      'GET',
      SEARCH,
      everyMoment((text) => text.slice(0, 19)),
    ),
  ),
  broken(
    'F2',
    '日時が空白区切り',
    saying(
      'GET',
      SEARCH,
      everyMoment((text) => text.replace('T', ' ')),
    ),
  ),
  broken(
    'F3',
    '時差を捨てて Z を付ける',
    saying(
      'GET',
      /spa\/quickReport\//,
      everyMoment((text) => `${text.slice(0, 19)}Z`),
    ),
  ),
  broken(
    'F4',
    'createdAt が 9 時間ずれる',
    saying(
      'GET',
      /emergencyReport\/[^/]+$/,
      eachRow((row) => ({
        ...row,
        createdAt: new Date(Date.parse(String(row['createdAt'])) - 9 * 3_600_000).toISOString(),
      })),
    ),
  ),
  broken(
    'L3',
    '圧縮すると JSON が読めない',
    answering('GET', SEARCH, (response, request) =>
      request.headers.get('accept-encoding')?.includes('gzip')
        ? new Response('\u001f\u008b', { headers: response.headers })
        : response,
    ),
  ),
  lacking(
    'L3',
    '圧縮すると ETag が弱くなる',
    answering('GET', SEARCH, (response, request) =>
      request.headers.get('accept-encoding')?.includes('gzip')
        ? withHeaders(response, { etag: `W/${response.headers.get('etag')}` })
        : response,
    ),
  ),
  broken(
    'L4',
    'Cache-Control が public',
    answering('GET', SEARCH, (response) => withHeaders(response, { 'cache-control': 'public, max-age=60' })),
  ),
  lacking(
    'L4',
    'Cache-Control がない',
    answering('GET', SEARCH, (response) => withHeaders(response, { 'cache-control': null })),
  ),
  broken(
    'L1',
    '知らない住所にアプリのページ',
    status('GET', /conform-no-such-resource/, (code) => code === 404, 200, '<!doctype html>'),
  ),
  broken(
    'L2',
    'JSON を text/html で返す',
    answering('GET', SEARCH, (response) => withHeaders(response, { 'content-type': 'text/html' })),
  ),
  broken(
    'L2',
    'Shift_JIS と言う',
    answering('GET', SEARCH, (response) =>
      withHeaders(response, { 'content-type': 'application/json; charset=shift_jis' }),
    ),
  ),
]
