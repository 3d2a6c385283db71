import {
  answering,
  broken,
  eachRow,
  fields,
  instead,
  isCall,
  lacking,
  nothing,
  saying,
  status,
  type Variant,
} from './variant.ts'
import type { Layer } from '../demo-host.ts'
import { isRow, type Row } from '../shapes.ts'

const TOKEN = /doccloud\/token$/
const INDEX = /files\/index\//
const UPLOAD = /files\/upload\//
const named = (change: (file: Row) => Row) => (json: unknown) =>
  isRow(json) && Array.isArray(json['lists'])
    ? { ...json, lists: json['lists'].map((file: Row) => change(file)) }
    : json

/** A file-store call is not signed: its body is simply another. */
const unsigned =
  (path: RegExp, change: (row: Row) => Row): Layer =>
  (next) =>
  async (request) =>
    isCall(request, 'POST', path)
      ? next(
          new Request(request.url, {
            method: 'POST',
            headers: request.headers,
            body: fields(change).body(await request.text()),
          }),
        )
      : next(request)

/** An upload of a name that was there gets the number of the first. */
const overwriting: Layer = (next) => {
  let first: string | null = null
  return async (request) => {
    if (!isCall(request, 'POST', UPLOAD)) return next(request)
    const again = first
    const response = await next(request)
    first ??= await response.clone().text()
    return again ? new Response(again, { headers: response.headers }) : response
  }
}

let folders = 0

export const fileVariants: Variant[] = [
  broken(
    'I1',
    'expire がミリ秒',
    saying(
      'POST',
      TOKEN,
      eachRow((row) => ({ ...row, expire: Number(row['expire']) * 1000 })),
    ),
  ),
  broken(
    'I1',
    'expire が過去',
    saying(
      'POST',
      TOKEN,
      eachRow((row) => ({ ...row, expire: 1 })),
    ),
  ),
  broken(
    'I2',
    'トークンのない呼び出しに 403',
    status('GET', /folders\/index/, (code) => code === 401, 403),
  ),
  broken(
    'I3',
    '同じ名前のフォルダーをもう一つ作る',
    unsigned(/folders\/create/, (row) => ({
      ...row,
      name: `${String(row['name'])}${(folders += 1) > 1 ? ` (${folders})` : ''}`,
    })),
  ),
  broken(
    'I4',
    '写真を作り直す',
    answering('POST', /files\/download/, async (response) => {
      if (response.headers.get('content-type')?.includes('json')) return response
      return new Response((await response.arrayBuffer()).slice(0, -1), { headers: response.headers })
    }),
  ),
  broken(
    'I4',
    'download_url が 404',
    instead('GET', /doccloud\/content/, () => nothing(404)),
  ),
  broken(
    'I5',
    '名前を NFC に直す',
    saying(
      'GET',
      INDEX,
      named((file) => ({ ...file, name: String(file['name']).normalize('NFC') })),
    ),
  ),
  broken(
    'I5',
    '名前の空白を + にする',
    saying(
      'GET',
      INDEX,
      named((file) => ({ ...file, name: String(file['name']).replaceAll(' ', '+') })),
    ),
  ),
  broken('I6', '同じ名前は上書き', overwriting),
  broken(
    'I7',
    '名前を変えたと言って変えない',
    instead('POST', /files\/rename/, () => Response.json({ success: true })),
  ),
  broken(
    'I8',
    'ないファイルを消したと言う',
    instead('POST', /files\/delete/, () => Response.json({ success: true })),
  ),
  broken(
    'I9',
    'keyword を見ない',
    unsigned(INDEX, (row) => ({ ...row, keyword: '' })),
  ),
  broken(
    'I9',
    'limit を見ない',
    unsigned(INDEX, (row) => ({ ...row, limit: 1000 })),
  ),
  broken(
    'I10',
    '5 MB より大きい写真に 413',
    (next) => async (request) =>
      isCall(request, 'POST', UPLOAD) && (await request.clone().arrayBuffer()).byteLength > 5 * 1024 * 1024
        ? nothing(413)
        : next(request),
  ),
  lacking(
    'I11',
    'filePath がない',
    saying(
      'GET',
      /emergencyReport\//,
      eachRow((row) => ({ ...row, filePath: null })),
    ),
  ),
]
