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
    const name = String(row['name'])
    const known = this.folders.find((folder) => folder.parentId === parentId && folder.name === name)
    if (known) return known.id
    const folder = { id: `folder-${(this.made += 1)}`, parentId, name }
    this.folders.push(folder)
    return folder.id
  }

  /** @param path what comes after `{fs}/` */
  answer(path: string, { headers, body }: RequestInit): Sent {
    if (path === 'token') return this.token()
    const until = this.tokens.get(new Headers(headers).get('access_token') ?? '') ?? 0
    if (until <= this.now()) return json({}, 401)
    const [area, act, folder = ''] = path.replace('openapp/v1/', '').split('/').map(decodeURIComponent)
    if (area === 'folders' && act === 'index')
      return json({ success: true, lists: this.folders.filter(({ parentId }) => parentId === folder) })
    const files = this.inFolder(folder)
    if (area === 'files' && act === 'index')
      return json({ success: true, lists: files.map(({ seq, name }) => ({ file_seq: seq, name })) })
    const { file_seq: wanted } = JSON.parse(typeof body === 'string' ? body : '{}') as { file_seq?: string }
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
