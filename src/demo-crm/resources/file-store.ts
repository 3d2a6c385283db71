/** The file store (crm-contract 5). It answers an error with status 200 and `"success": false`. */
import { type } from 'arktype'
import { FILE_SEARCH_LIMIT } from '#schemas/limits.ts'
import {
  ok,
  type DemoResponse,
  type Call,
  type Handler,
  type Route,
  given,
  parseBody,
} from '#demo-crm/world/call.ts'
import { type World, folderNamed, isFolder, newFolderId } from '#demo-crm/world/world.ts'
import type { FileRow } from '#demo-crm/world/rows.ts'
import { digestOf } from '#demo-crm/world/signature.ts'

const failed = (message: string): DemoResponse => ok({ success: false, message })
const NO_FOLDER = 'フォルダーがありません。'
const NO_FILE = 'ファイルがありません。'
const nameBody = type({ name: '1 <= string <= 255' })

const createFolder: Handler = ({ params: [parentId = ''], text }, world) => {
  const body = parseBody(nameBody, text)
  if (body.kind === 'refused') return failed('フォルダー名が正しくありません。')
  if (!isFolder(world, parentId)) return failed(NO_FOLDER)
  const { name } = body.value
  const folder = folderNamed(world, parentId, name) ?? { id: newFolderId(), parentId, name }
  world.table('folders').put(folder.id, folder)
  return ok({ success: true, node: { id: folder.id, name } })
}

const listFolders: Handler = ({ params: [id = ''] }, world) => {
  if (!isFolder(world, id)) return failed(NO_FOLDER)
  const folders = world.table('folders').stored()
  const lists = folders.flatMap(([, folder]) =>
    folder.parentId === id ? [{ id: folder.id, name: folder.name }] : [],
  )
  return ok({ success: true, lists })
}

async function uploaded({ bytes, headers }: Call): Promise<File | null> {
  try {
    const contentType = headers.get('content-type') ?? ''
    const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData()
    const file = form.get('Filedata')
    return file instanceof File ? file : null
  } catch {
    return null
  }
}

function nextNumber(world: World): string {
  const value = (world.table('counters').get('file')?.value ?? 10_000) + 1
  world.table('counters').put('file', { value })
  return String(value)
}

const upload: Handler = async (call, world) => {
  const [folderId = ''] = call.params
  const file = await uploaded(call)
  if (!file || !isFolder(world, folderId)) return failed(file ? NO_FOLDER : 'ec00017')
  const bytes = await file.arrayBuffer()
  const row: FileRow = {
    file_seq: nextNumber(world),
    folderId,
    name: file.name,
    size: bytes.byteLength,
    sha256: await digestOf(bytes),
    contentType: file.type || 'application/octet-stream',
  }
  world.table('files').put(row.file_seq, row)
  world.putBytes(row.file_seq, bytes)
  return ok({ success: true, file_seq: row.file_seq, name: row.name })
}

const fileBody = type({ file_seq: given, 'name?': 'string', 'flag_direct?': "'N' | 'Y'" })

function namedFile({ params: [folderId = ''], text }: Call, world: World) {
  const body = parseBody(fileBody, text)
  const file = body.kind === 'ok' ? world.table('files').get(body.value.file_seq) : undefined
  return body.kind === 'ok' && file?.folderId === folderId ? { file, sent: body.value } : null
}

const rename: Handler = (call, world) => {
  const found = namedFile(call, world)
  if (!found?.sent.name) return failed(NO_FILE)
  world.table('files').put(found.file.file_seq, { ...found.file, name: found.sent.name })
  return ok({ success: true })
}

const remove: Handler = (call, world) => {
  const found = namedFile(call, world)
  if (!found) return failed(NO_FILE)
  world.table('files').remove(found.file.file_seq)
  world.putBytes(found.file.file_seq, null)
  return ok({ success: true })
}

const searchBody = type({ 'keyword?': 'string | null', 'limit?': 'number.integer >= 1' })

const listFiles: Handler = ({ method, params: [id = ''], text }, world) => {
  if (!isFolder(world, id)) return failed(NO_FOLDER)
  const body = method === 'POST' ? parseBody(searchBody, text) : null
  if (body?.kind === 'refused') return failed('検索条件が正しくありません。')
  const { keyword, limit = FILE_SEARCH_LIMIT } = body?.value ?? {}
  const lists = world
    .table('files')
    .stored()
    .filter(([, file]) => file.folderId === id && file.name.includes(keyword ?? ''))
    .map(([, { file_seq, name }]) => ({ file_seq, name }))
  return ok({ success: true, lists: lists.slice(0, limit) })
}

async function bytesOf(world: World, file: FileRow): Promise<DemoResponse> {
  const body = await world.bytes(file.file_seq)
  return body ? { status: 200, raw: { body, type: file.contentType } } : failed(NO_FILE)
}

/** @param base path of the file store. The returned URL has no host, so that it works on the app's host */
const download =
  (base: string): Handler =>
  (call, world) => {
    const found = namedFile(call, world)
    if (!found) return failed(NO_FILE)
    const { file, sent } = found
    if (sent.flag_direct === 'Y') return bytesOf(world, file)
    const { file_seq, name } = file
    return ok({ download_url: `${base}/content/${file_seq}/${file.sha256}`, file_seq, name })
  }

const viewer =
  (base: string): Handler =>
  ({ text }, world) => {
    const body = parseBody(fileBody, text)
    const file = body.kind === 'ok' ? world.table('files').get(body.value.file_seq) : undefined
    return file ? ok({ viewer_url: `${base}/content/${file.file_seq}/${file.sha256}` }) : failed(NO_FILE)
  }

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
