/** The file store as the pulling half asks it (crm-contract 5): its token, the folders of records, and what lies in them. */
import type { Sent } from './sent.ts'

/** What photos lie beside: a record of the CRM. */
type Row = Readonly<Record<string, unknown>>

interface Folder {
  id: string
  parentId: string
  name: string
}

interface Stored {
  seq: string
  name: string
}

interface Asked {
  name?: string
  file_seq?: string
}

const TOKEN_LIFE_MS = 20 * 60_000
/** The first bytes of a PNG, which is all that is looked at. */
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0])

const json = (body: object, status = 200): Sent => ({
  status,
  body: JSON.stringify(body),
  isJson: true,
  headers: {},
})
const failed = (message: string) => json({ success: false, message })

export class PullFiles {
  private readonly folders: Folder[] = []
  private readonly files = new Map<string, Stored[]>()
  private readonly tokens = new Map<string, number>()
  /** Sizes of what phones have laid there. */
  private readonly uploads: number[] = []
  private made = 0
  private readonly now: () => number

  constructor(now: () => number) {
    this.now = now
  }

  /** Somebody else lays a photo beside a record; its folder is made by the first. */
  add(row: Row): void {
    const folder = this.folderOf(row)
    const seq = `f${(this.made += 1)}`
    this.files.set(folder, [
      ...this.inFolder(folder),
      { seq, name: `2026112010000000${this.made}_${seq}.png` },
    ])
  }

  /** And takes the oldest away. */
  remove(row: Row): void {
    const folder = this.folderOf(row)
    this.files.set(folder, this.inFolder(folder).slice(1))
  }

  /** Of a record, the photos that lie there now. */
  seqsOf = (row: Row): string[] => this.inFolder(this.folderOf(row)).map(({ seq }) => seq)

  private inFolder = (id: string) => this.files.get(id) ?? []

  private folderOf(row: Row): string {
    if (typeof row['filePath'] === 'string') return row['filePath']
    const parentId = String(
      row['emergencyReportFolderId'] ?? row['safetyFolderId'] ?? row['noteLocationFolderId'],
    )
    return this.folderNamed(parentId, String(row['name'])).id
  }

  private folderNamed(parentId: string, name: string): Folder {
    const known = this.folders.find((folder) => folder.parentId === parentId && folder.name === name)
    if (known) return known
    const folder = { id: `folder-${(this.made += 1)}`, parentId, name }
    this.folders.push(folder)
    return folder
  }

  /** How often a photo of this size was uploaded, whoever took it away since: each has its own. */
  uploadsOf = (size: number): number => this.uploads.filter((each) => each === size).length

  private upload(folder: string, form: unknown): Sent {
    const file = form instanceof FormData ? form.get('Filedata') : null
    if (!(file instanceof File)) return failed('no file')
    const stored = { seq: `f${(this.made += 1)}`, name: file.name }
    this.uploads.push(file.size)
    this.files.set(folder, [...this.inFolder(folder), stored])
    return json({ success: true, file_seq: stored.seq, name: stored.name })
  }

  /** @param path what comes after `{fs}/` */
  answer(path: string, { headers, body }: RequestInit): Sent {
    if (path === 'token') return this.token()
    const until = this.tokens.get(new Headers(headers).get('access_token') ?? '') ?? 0
    if (until <= this.now()) return json({}, 401)
    const [area, act, folder = ''] = path.replace('openapp/v1/', '').split('/').map(decodeURIComponent)
    if (area === 'folders' && act === 'index')
      return json({ success: true, lists: this.folders.filter(({ parentId }) => parentId === folder) })
    if (area === 'files' && act === 'upload') return this.upload(folder, body)
    const { name = '', file_seq: wanted } = JSON.parse(typeof body === 'string' ? body : '{}') as Asked
    if (area === 'folders' && act === 'create')
      return json({ success: true, node: this.folderNamed(folder, name) })
    const files = this.inFolder(folder)
    if (area === 'files' && act === 'index')
      return json({ success: true, lists: files.map(({ seq, name }) => ({ file_seq: seq, name })) })
    if (area !== 'files' || act !== 'download' || !files.some(({ seq }) => seq === wanted))
      return failed('no such file')
    return { status: 200, body: '', bytes: PNG, isJson: false, headers: {} }
  }

  private token(): Sent {
    const value = `ft${(this.made += 1)}`
    const until = this.now() + TOKEN_LIFE_MS
    this.tokens.set(value, until)
    return json({ access_token: value, expire: Math.floor(until / 1_000) })
  }
}
