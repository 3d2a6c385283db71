/** Every call of the file store (crm-contract 5). What it cannot do it says with 200 and `"success": false`. */
import { FILE_SEARCH_LIMIT } from '#schemas/limits.ts'
import type { Operation } from './operation.ts'
import { integer, object, orNull, ref, text, type Schema } from './schema.ts'

export const FS = '/doccloud'
const OPEN = `${FS}/openapp/v1`

const json = (schema: Schema) => ({ media: 'application/json', schema }) as const
const seq: Schema = { type: ['string', 'integer'] }
/** @param schema what is answered where it could be done */
const success = (description: string, schema: string) => ({
  status: 200,
  description: `${description}。できなければ "success": false（I8）`,
  schema: { anyOf: [ref(schema), ref('Failed')] },
})

const call = (
  path: string,
  more: Pick<Operation, 'id' | 'summary' | 'clauses' | 'success'> & Partial<Operation>,
): Operation => ({
  method: 'POST',
  path: `${OPEN}/${path}`,
  tag: 'ファイル保管',
  guard: 'fileToken',
  ...more,
})

export const fileOperations: Operation[] = [
  {
    id: 'fileToken',
    method: 'POST',
    path: `${FS}/token`,
    tag: 'ファイル保管',
    summary: 'ファイル保管のトークン',
    description: 'Authorization: Bearer も付きます。その会社の利用者にだけ出してください。',
    guard: 'bearer',
    body: json(object({ userInfo: ref('UserInfo') }, ['userInfo'])),
    success: { status: 200, description: 'トークンと期限', schema: ref('FileToken') },
    clauses: ['I1'],
  },
  call('folders/create/{parentId}', {
    id: 'createFolder',
    summary: 'フォルダーを作る',
    description: '名前がもうあれば、そのフォルダーを返します。',
    body: json(object({ name: { ...text, minLength: 1, maxLength: 255 } }, ['name'])),
    success: success('フォルダー', 'Folder'),
    clauses: ['I3', 'I11'],
  }),
  call('folders/index/{id}', {
    id: 'listFolders',
    method: 'GET',
    summary: 'フォルダーの一覧',
    success: success('中のフォルダー', 'Folders'),
    clauses: ['I3'],
  }),
  call('files/upload/{folderId}', {
    id: 'uploadFile',
    summary: '写真を送る',
    description:
      '同じ名前をもう一度送ると、二つ目のファイルになります。できなければ message は ec00017 です。大きさは imageSizeLimit（既定 10 MB）まで。',
    body: {
      media: 'multipart/form-data',
      schema: object({ Filedata: { type: 'string', contentMediaType: 'application/octet-stream' } }, [
        'Filedata',
      ]),
    },
    success: success('ファイルの番号', 'Uploaded'),
    clauses: ['I4', 'I5', 'I6', 'I8', 'I10'],
  }),
  call('files/rename/{folderId}', {
    id: 'renameFile',
    summary: '名前を変える',
    body: json(object({ file_seq: seq, name: { ...text, minLength: 1 } }, ['file_seq', 'name'])),
    success: success('変えた', 'Done'),
    clauses: ['I5', 'I7', 'I8'],
  }),
  call('files/delete/{folderId}', {
    id: 'deleteFile',
    summary: 'ファイルを消す',
    body: json(object({ file_seq: seq }, ['file_seq'])),
    success: success('消した', 'Done'),
    clauses: ['I7', 'I8'],
  }),
  call('files/index/{folderId}', {
    id: 'searchFiles',
    summary: 'ファイルを探す',
    body: json(
      object({
        keyword: orNull(text),
        limit: { ...integer, minimum: 1, default: FILE_SEARCH_LIMIT },
      }),
    ),
    success: success('名前に keyword を含むもの', 'Files'),
    clauses: ['I4', 'I9'],
  }),
  call('files/index/{folderId}', {
    id: 'listFiles',
    method: 'GET',
    summary: 'ファイルの一覧',
    success: success('フォルダーのファイル', 'Files'),
    clauses: ['I4', 'I5'],
  }),
  call('files/download/{folderId}', {
    id: 'downloadFile',
    summary: '写真を読む',
    description: 'flag_direct が `N` なら住所、`Y` ならバイトです。',
    body: json(
      object({ file_seq: seq, name: text, flag_direct: { ...text, enum: ['N', 'Y'] } }, [
        'file_seq',
        'flag_direct',
      ]),
    ),
    success: { ...success('写真、またはその住所', 'Download'), bytes: true },
    clauses: ['I4'],
  }),
  call('viewer/create', {
    id: 'createViewer',
    summary: '表示の住所',
    body: json(object({ file_seq: seq }, ['file_seq'])),
    success: success('住所', 'Viewer'),
    clauses: ['I4'],
  }),
]
