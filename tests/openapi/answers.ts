/** What any call may be answered beside what it is for: headers, errors, and who may call (crm-contract 2, 3). */
import { ref, type Schema } from './schema.ts'

const header = (description: string, schema: Schema) => ({ description, schema })
const text: Schema = { type: 'string' }

export const headers = {
  ETag: header('強い ETag（`W/` の付かないもの、C1）。圧縮する中継で弱くしない（L3）', text),
  'x-total-count': {
    ...header('全部の件数（B1）。消えた行の判断に使うので、必ず正しく', { type: 'integer', minimum: 0 }),
    required: true,
  },
  'Retry-After': header('秒、または日時（J3）。過ぎると通る（J2）', text),
  Date: header('CRM の時計（F1）。端末の時計がずれていても、入退館の時刻を正しくする', text),
  'Cache-Control': header('`no-store`、または `private, no-cache`（L4）', text),
}

export const headerRef = (name: keyof typeof headers) => ({
  [name]: { $ref: `#/components/headers/${name}` },
})
export const plainHeaders = { ...headerRef('Date'), ...headerRef('Cache-Control') }

const headerParameter = (name: string, description: string, required = false) => ({
  name,
  in: 'header',
  required,
  description,
  schema: text,
})

export const parameters = {
  'Idempotency-Key': headerParameter(
    'Idempotency-Key',
    '変更ごとに一意の鍵。同じ鍵の二度目には、記録を増やさず前と同じ応答を返す（E1〜E6、希望）',
    true,
  ),
  'If-Match': headerParameter('If-Match', '読んだときの ETag。合わなければ何もせず 412（C4、C5、希望）'),
  'If-None-Match': headerParameter(
    'If-None-Match',
    '前の応答の ETag。変わっていなければ 304（C2、C3、希望）',
  ),
}

/** Any body: the status says it. */
const any = (description: string) => ({ description, schema: {} as Schema })

/** By status. The example of each is what the demo CRM answers. */
export const commonAnswers: Readonly<
  Record<string, { name: string; description: string; schema?: Schema; retry?: true }>
> = {
  '304': { name: 'NotModified', description: '前に読んだときと変わっていない。本文はない（C2）' },
  '401': { name: 'Unauthorized', ...any('署名が違う、またはトークンが無効。ページや転送ではない（A4、A5）') },
  '404': { name: 'NotFound', ...any('その記録はない（B11、G3、G4）') },
  '412': { name: 'Moved', ...any('If-Match が合わない。何も変えていない（C4）') },
  '422': { name: 'Invalid', description: '内容の誤り（G1、G2、H）', schema: ref('Failure') },
  '429': { name: 'TooMany', ...any('呼び出しが多すぎる（J1）'), retry: true },
  '498': { name: 'InvalidToken', ...any('トークンが無効（INVALID_TOKEN）。アプリはログインを求める') },
  '503': { name: 'Unavailable', ...any('しばらく停止中'), retry: true },
  '5XX': { name: 'Unknown', ...any('書き込みの結果は分からないものとして、読み戻してから送り直す') },
}

export const errorSchemas: Record<string, Schema> = {
  Failure: {
    description: 'メッセージの番号（ec…）か、文章',
    anyOf: [
      {
        type: 'object',
        properties: { errors: { anyOf: [{ type: 'array', items: text }, text] } },
        required: ['errors'],
      },
      { type: 'object', properties: { error: text }, required: ['error'] },
    ],
  },
  Rejected: {
    type: 'object',
    description: '断った。メッセージの番号（ec…）か、文章',
    properties: { message: text },
    required: ['message'],
  },
}

export const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: 'ログインの accessToken（A5）' },
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Signature',
    description:
      'メソッド、改行、送ったままのパスと問い合わせ、改行、本文（なければ空）の HMAC-SHA-256。鍵は securityKey、小文字の 16 進（A4、A9）',
  },
  fileToken: {
    type: 'apiKey',
    in: 'header',
    name: 'access_token',
    description: 'ファイル保管のトークン（I1、I2）',
  },
}

export const securityOf = {
  none: [],
  signed: [{ signature: [] }],
  bearer: [{ bearer: [], signature: [] }],
  fileToken: [{ fileToken: [] }],
}
