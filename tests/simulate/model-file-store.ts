/** The file store to the letter of crm-contract 5: folders once per name, files, and a token of its own that ends. */
import type { UserInfo } from '#schemas/device/session.ts'
import type { Answer } from '#sync/transport/outcome.ts'
import type { HttpCall } from '#sync/transport/http.ts'

export const FILES = 'http://files.test'

/** Folders that the CRM has made itself, and names as `filePath`. */
const OWN_FOLDER = 'path-'

interface StoredFile {
  seq: string
  folderId: string
  name: string
  bytes: ArrayBuffer
  /** It came by a call that the network delivered twice, or after it was read back: no client could have prevented it. */
  extra: boolean
}

interface Folder {
  id: string
  parentId: string
  name: string
}

interface Options {
  now: () => number
  tokenLifeMs: number
}

const ok = (body: object): Answer => ({
  kind: 'answer',
  status: 200,
  body,
  isJson: true,
  total: null,
  retryAfter: null,
})
const failed = (message: string) => ok({ success: false, message })
const UNAUTHORIZED: Answer = { ...ok({}), kind: 'answer', status: 401 } as Answer

export interface FileCall {
  what: string
  folderId: string
}

/** What a call asks for: `files/upload`, of which folder. */
export function fileCall({ url }: HttpCall): FileCall {
  const [area = '', act = '', folderId = ''] = url.replace(`${FILES}/openapp/v1/`, '').split('/')
  return {
    what: area.startsWith('http') ? 'token' : `${area}/${act}`,
    folderId: decodeURIComponent(folderId),
  }
}

/** The file that an upload carries. */
export const fileIn = ({ form }: HttpCall): File | null => {
  const data = form?.get('Filedata')
  return data instanceof File ? data : null
}

export class ModelFileStore {
  readonly files: StoredFile[] = []
  readonly folders: Folder[] = []
  private readonly tokens = new Map<string, { user: string; until: number }>()
  private number = 0
  private readonly options: Options

  constructor(options: Options) {
    this.options = options
  }

  userOf = ({ headers = {} }: HttpCall): string => this.tokens.get(headers['access_token'] ?? '')?.user ?? ''

  expireTokens(): void {
    for (const token of this.tokens.values()) token.until = 0
  }

  /** The folder of that name, where it was made. */
  folderOf = (parentId: string, name: string): Folder | undefined =>
    this.folders.find((folder) => folder.parentId === parentId && folder.name === name)

  async act(call: HttpCall, extra = false): Promise<Answer> {
    const { what, folderId } = fileCall(call)
    if (what === 'token') return this.token(call)
    const token = this.tokens.get(call.headers?.['access_token'] ?? '')
    if (!token || token.until <= this.options.now()) return UNAUTHORIZED
    const { name = '', file_seq: seq = '' } = JSON.parse(call.body ?? '{}') as Record<string, string>
    if (what === 'folders/create') return ok({ success: true, node: this.made(folderId, name) })
    if (!folderId.startsWith(OWN_FOLDER) && this.folders.every(({ id }) => id !== folderId))
      return failed('no such folder')
    if (what === 'files/index')
      return ok({ success: true, lists: this.inFolder(folderId).map((file) => shown(file)) })
    if (what === 'files/upload') return this.upload(folderId, call, extra)
    const file = this.inFolder(folderId).find((each) => each.seq === seq)
    if (!file) return failed('no such file')
    if (what === 'files/rename') file.name = name
    else this.files.splice(this.files.indexOf(file), 1)
    return ok({ success: true })
  }

  private inFolder = (folderId: string) => this.files.filter((file) => file.folderId === folderId)

  private token({ body = '{}', headers = {} }: HttpCall): Answer {
    if (!headers['Authorization']?.startsWith('Bearer ')) return UNAUTHORIZED
    const { userInfo } = JSON.parse(body) as { userInfo: UserInfo }
    const value = `ft-${userInfo.id}-${(this.number += 1)}`
    const until = this.options.now() + this.options.tokenLifeMs
    this.tokens.set(value, { user: userInfo.id, until })
    return ok({ access_token: value, expire: Math.floor(until / 1000) })
  }

  private made(parentId: string, name: string): Folder {
    const there = this.folderOf(parentId, name)
    if (there) return there
    const folder = { id: `folder-${(this.number += 1)}`, parentId, name }
    this.folders.push(folder)
    return folder
  }

  private async upload(folderId: string, call: HttpCall, extra: boolean): Promise<Answer> {
    const data = fileIn(call)
    if (!data) return failed('no file')
    const file = {
      seq: `file-${(this.number += 1)}`,
      folderId,
      name: data.name,
      bytes: await data.arrayBuffer(),
      extra,
    }
    this.files.push(file)
    return ok({ success: true, ...shown(file) })
  }
}

const shown = ({ seq, name }: StoredFile) => ({ file_seq: seq, name })
