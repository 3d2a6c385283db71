/** The demo CRM's rows. A record's id is `<kind>.<group>.<n>`: the group is its request, or a note's area. */

/** Part of a row that tells whether the seed or a call wrote it. An edit by another company counts as a call. */
export interface OfOrigin {
  origin: 'seed' | 'call'
}

export interface FolderRow {
  id: string
  parentId: string
  name: string
}

export interface FileRow {
  file_seq: string
  folderId: string
  name: string
  size: number
  sha256: string
  contentType: string
}

interface TokenRow {
  userName: string
  expiresAt: number
}

/** Type of the rows of each table. Each file in `resources/` adds a table to this interface. */
// oxlint-disable-next-line typescript/no-empty-object-type, typescript/no-empty-interface
export interface RecordRows {}
export type RecordTableName = keyof RecordRows

export interface TableRows extends RecordRows {
  folders: FolderRow
  files: FileRow
  accessTokens: TokenRow
  refreshTokens: TokenRow
  fileTokens: TokenRow
  passwords: { password: string }
  answers: { status: number; body: unknown }
  counters: { value: number }
}
export type TableName = keyof TableRows

/** Returns the group in a record's id: the id of a request or location area. */
export const groupOf = (id: string) => id.split('.')[1] ?? ''
export const newId = (kind: string, group: string) => `${kind}.${group}.${crypto.randomUUID().slice(0, 13)}`

/** Returns the id of the quick report of a request and day. There is at most one (ec00011). */
export const quickReportId = (requestId: string, workingDate: string) =>
  `qr.${requestId}.${workingDate.replaceAll('-', '')}`
