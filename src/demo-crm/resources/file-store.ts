/** The file store (crm-contract 5). It answers an error with status 200 and `"success": false`. */
import { type } from 'arktype'
import { FILE_SEARCH_LIMIT } from '#schemas/limits.ts'
import {
  field,
  parseBody,
  reply,
  withBody,
  type Call,
  type DemoResponse,
  type Handler,
  type Route,
} from '#demo-crm/world/call.ts'
import { folderNamed, isFolder, newFolderId, type TableRows, type World } from '#demo-crm/world/world.ts'
import { digestOf } from '#demo-crm/world/signature.ts'

const { ok } = reply
const failed = (message: string): DemoResponse => ok({ success: false, message })
const NO_FOLDER = 'フォルダーがありません。'
const NO_FILE = 'ファイルがありません。'
const nameBody = type({ name: '1 <= string <= 255' })

const createFolder: Handler = ({ params: [parentId = ''], text }, world) => {
  const { value } = parseBody(nameBody, text)
  if (!value) return failed('フォルダー名が正しくありません。')
  if (!isFolder(world, parentId)) return failed(NO_FOLDER)
  const { name } = value
  const folder = folderNamed(world, parentId, name) ?? { id: newFolderId(), parentId, name }
  world.table('folders').put(folder.id, folder)
  return ok({ success: true, node: { id: folder.id, name } })
}

const listFolders: Handler = ({ params: [id = ''] }, world) => {
  if (!isFolder(world, id)) return failed(NO_FOLDER)
  const folders = world.table('folders').stored()
  const lists = folders
    .filter(({ parentId }) => parentId === id)
    .map((folder) => ({ id: folder.id, name: folder.name }))
  return ok({ success: true, lists })
}

async function uploaded({ bytes, headers }: Call): Promise<File | null> {
  const sent = new Response(bytes, { headers: { 'content-type': headers.get('content-type') ?? '' } })
  const file = (await sent.formData().catch(() => null))?.get('Filedata')
  return file instanceof File ? file : null
}

const upload: Handler = async (call, world) => {
  const [folderId = ''] = call.params
  const file = await uploaded(call)
  if (!file || !isFolder(world, folderId)) return failed(file ? NO_FOLDER : 'ec00017')
  const bytes = await file.arrayBuffer()
  const value = (world.table('counters').get('file')?.value ?? 10_000) + 1
  world.table('counters').put('file', { value })
  const file_seq = String(value)
  world.table('files').put(file_seq, {
    file_seq,
    folderId,
    name: file.name,
    size: bytes.byteLength,
    sha256: await digestOf(bytes),
    contentType: file.type || 'application/octet-stream',
  })
  world.putBytes(file_seq, bytes)
  return ok({ success: true, file_seq, name: file.name })
}

const fileBody = type({ file_seq: field.given, 'name?': 'string', 'flag_direct?': "'N' | 'Y'" })
type FileRow = TableRows['files']

/** Makes a handler that does something with the file in the body, which must be in the folder of the path. */
const withFile = (
  handle: (file: FileRow, sent: typeof fileBody.infer, world: World) => ReturnType<Handler>,
): Handler =>
  withBody(
    fileBody,
    (sent, { params: [folderId] }, world) => {
      const file = world.table('files').get(sent.file_seq)
      const isThere = file && (folderId === undefined || file.folderId === folderId)
      return isThere ? handle(file, sent, world) : failed(NO_FILE)
    },
    failed(NO_FILE),
  )

const rename = withFile((file, { name }, world) => {
  if (!name) return failed(NO_FILE)
  world.table('files').put(file.file_seq, { ...file, name })
  return ok({ success: true })
})

const remove = withFile(({ file_seq }, _, world) => {
  world.table('files').remove(file_seq)
  world.putBytes(file_seq, null)
  return ok({ success: true })
})

const searchBody = type({ 'keyword?': 'string | null', 'limit?': 'number.integer >= 1' })

const listFiles: Handler = ({ method, params: [id = ''], text }, world) => {
  if (!isFolder(world, id)) return failed(NO_FOLDER)
  const body = method === 'POST' ? parseBody(searchBody, text) : null
  if (body?.refusal) return failed('検索条件が正しくありません。')
  const { keyword, limit = FILE_SEARCH_LIMIT } = body?.value ?? {}
  const lists = world
    .table('files')
    .stored()
    .filter((file) => file.folderId === id && file.name.includes(keyword ?? ''))
    .map(({ file_seq, name }) => ({ file_seq, name }))
  return ok({ success: true, lists: lists.slice(0, limit) })
}

async function bytesOf(world: World, file: FileRow): Promise<DemoResponse> {
  const body = await world.bytes(file.file_seq)
  return body ? { status: 200, raw: { body, type: file.contentType } } : failed(NO_FILE)
}

/** @param base path of the file store. The returned URL has no host, so that it works on the app's host */
const contentUrl = (base: string, { file_seq, sha256 }: FileRow) => `${base}/content/${file_seq}/${sha256}`

const download = (base: string) =>
  withFile((file, { flag_direct }, world) => {
    if (flag_direct === 'Y') return bytesOf(world, file)
    return ok({ download_url: contentUrl(base, file), file_seq: file.file_seq, name: file.name })
  })

const viewer = (base: string) => withFile((file) => ok({ viewer_url: contentUrl(base, file) }))

const content: Handler = ({ params: [fileSeq = '', sha256] }, world) => {
  const file = world.table('files').get(fileSeq)
  return file?.sha256 === sha256 && file ? bytesOf(world, file) : { status: 404, json: { error: NO_FILE } }
}

export const contentRoutes: Route[] = [{ method: 'GET', path: 'content/:seq/:sha', handle: content }]

export const fileStoreRoutes = (base: string): Route[] => [
  { method: 'POST', path: 'openapp/v1/folders/create/:id', handle: createFolder },
  { method: 'GET', path: 'openapp/v1/folders/index/:id', handle: listFolders },
  { method: 'POST', path: 'openapp/v1/files/upload/:id', handle: upload },
  { method: 'POST', path: 'openapp/v1/files/rename/:id', handle: rename },
  { method: 'POST', path: 'openapp/v1/files/delete/:id', handle: remove },
  { method: 'POST', path: 'openapp/v1/files/index/:id', handle: listFiles },
  { method: 'GET', path: 'openapp/v1/files/index/:id', handle: listFiles },
  { method: 'POST', path: 'openapp/v1/files/download/:id', handle: download(base) },
  { method: 'POST', path: 'openapp/v1/viewer/create', handle: viewer(base) },
]
